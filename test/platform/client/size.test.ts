import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundle, gzipped } from '../../helpers/client-package/bundle.ts'
import { project } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

/** What an API has beside JSON, texts as parameters, Error objects and API keys as bearer tokens. */
interface Feature {
  /** The file of the client that has the function. */
  readonly file: string
  readonly name: string
  /** What a row has for it; `f` is the function. */
  readonly row: string
  /** A text of the function. */
  readonly mark: string
}

const core = {
  getBook: `method: 'get', path: '/books/{bookId}'`,
  addBook: `method: 'post', path: '/books', body: true, idempotent: true`,
  listBooks: `method: 'get', path: '/books', query: true`,
}

const links: Feature = {
  file: 'link-pages',
  name: 'createLinkedList',
  row: `pages: { style: 'link', parameter: 'cursor', createList: f }`,
  mark: 'with an invalid next link',
}

/** Bundles an application that creates a client of an API and nothing else; `feature` is one of its lists. */
function ship(feature?: Feature): Promise<string> {
  const { getBook, addBook, listBooks } = core
  const list = feature === undefined ? listBooks : `${listBooks}, ${feature.row}`
  const own = feature && `import { ${feature.name} as f } from '${from(feature.file)}'`
  return bundle(
    createTemporaryFolder(),
    `import { createClient } from '${from('client')}'
    import { ApiError } from '${from('errors')}'
    ${own ?? ''}
    const operations = { getBook: { ${getBook} }, addBook: { ${addBook} }, listBooks: { ${list} } }
    class LibraryError extends ApiError { name = 'LibraryError' }
    export const createLibrary = (options) => createClient(options, operations, LibraryError)`,
  )
}

function from(file: string): string {
  return join(project, 'client', `${file}.ts`)
}

const own = (file: string, name: string, row: string, mark: string): Feature => {
  return { file, name, row, mark }
}

test('the core of the client takes at most 6,400 bytes, and 7,000 with lists', async () => {
  // An API of JSON, with API keys as bearer tokens and texts as parameters, whose errors are Error objects.
  expect(gzipped(await ship())).toBeLessThanOrEqual(6_400)
  // Its list has pages as those of the platform: a `Link` with the cursor of the next page.
  expect(gzipped(await ship(links))).toBeLessThanOrEqual(7_000)
})

test.for<readonly [what: string, feature: Feature, bytes: number]>([
  ['pages by link and cursor', links, 650],
  [
    'pages of any style',
    {
      file: 'page-styles',
      name: 'createAnyList',
      row: `pages: { style: 'offset', parameter: 'offset', createList: f }`,
      mark: 'the same page twice',
    },
    1_250,
  ],
  [
    'parameters of any style',
    {
      file: 'styled-parameters',
      name: 'writeStyled',
      row: `parameters: { styles: { 'query ids': 'form' }, write: f }`,
      mark: 'separator of its style',
    },
    1_050,
  ],
  [
    'errors of any format',
    { file: 'error-formats', name: 'readAnyError', row: 'readError: f', mark: 'error_description' },
    250,
  ],
  [
    'responses without JSON',
    {
      file: 'declared-responses',
      name: 'readDeclared',
      row: 'responses: { empty: [202], read: f }',
      mark: 'XX',
    },
    150,
  ],
  [
    'headers of its own',
    own('response-headers', 'readHeaders', `headers: { kinds: { a: 'number' }, read: f }`, '^-?'),
    225,
  ],
  [
    'headers that are objects or JSON',
    own(
      'structured-headers',
      'readStructuredHeaders',
      `headers: { kinds: { a: 'json' }, read: f }`,
      'Object.hasOwn',
    ),
    400,
  ],
  [
    'streams of events',
    own('event-stream', 'createEventStream', `responses: { createResult: f }`, 'no data arrived'),
    1_500,
  ],
  [
    'streams of JSON values',
    own('value-stream', 'createValueStream', `responses: { createResult: f }`, 'no data arrived'),
    900,
  ],
  [
    'downloads',
    own('downloads', 'createDownload', `responses: { createResult: f }`, 'no data arrived'),
    750,
  ],
  [
    'JSON beside other media types',
    own(
      'accepted-content',
      'createAccepted',
      `responses: { createResult: f }`,
      'The response has no media type',
    ),
    550,
  ],
  [
    'uploads of bytes',
    own('uploads', 'prepareUpload', `upload: { contents: {}, prepare: f }`, 'octet-stream'),
    250,
  ],
  [
    'bodies of lines',
    own('lines', 'writeLines', `upload: { contents: { a: { write: f } } }`, 'json-seq'),
    400,
  ],
  [
    'forms with files',
    own('forms', 'writeMultipart', `upload: { contents: { a: { write: f } } }`, 'must be a file'),
    500,
  ],
])('an application ships %s only if its API has them', async ([, feature, most]) => {
  const [without, withFeature] = await Promise.all([ship(), ship(feature)])
  expect(without).not.toContain(feature.mark)
  expect(withFeature).toContain(feature.mark)
  expect(gzipped(withFeature) - gzipped(without)).toBeLessThanOrEqual(most)
})
