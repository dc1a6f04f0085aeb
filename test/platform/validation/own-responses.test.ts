import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkOwnResponses } from '../../../scripts/checks/own-responses.ts'
import { bundleDescription, openDescription } from '../../../scripts/pipeline/bundle.ts'
import { shortPath } from '../../../scripts/pipeline/project.ts'
import { errorObject } from '../../../server/contract/error-format.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import { toObject } from '../../../server/description/json.ts'
import { textsOfSchemes } from '../../../server/security/scheme-texts.ts'
import {
  framingResponses,
  responsesTo,
  responsesToUndeclared,
} from '../../../server/start-up/own-responses.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { type Changes, startFixtureWith, tools } from '../../helpers/fixture-service.ts'
import { sendBytes } from '../../helpers/raw.ts'
import {
  atValue,
  createLocator,
  type Edit,
  editText,
  type Place,
  remove,
  rename,
  set,
  together,
} from '../../helpers/spec-edit.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { readBase } from '../pipeline/support/workspace.ts'
import { provokeAll } from './support/own-responses.ts'

const headers = 'components headers'
const responses = 'components responses'
const error = 'components schemas Error'
const framing = 'components schemas BadRequestFramingError'

/** Edits after which the service would send what the description does not allow, each with its place. */
const rejected: readonly (readonly [what: string, edit: Edit, place: Place, problem: string])[] = [
  [
    'X-Request-Id of at most 40 characters',
    set(`${headers} X-Request-Id schema maxLength`, 40),
    atValue(`${headers} X-Request-Id schema maxLength`),
    '/headers/x-request-id must have at most 40 characters',
  ],
  [
    'another constant for Cache-Control',
    together(
      remove(`${headers} Cache-Control schema enum`),
      set(`${headers} Cache-Control schema const`, 'no-cache'),
    ),
    atValue(`${headers} Cache-Control schema const`),
    '/headers/cache-control must be no-cache (it is "no-store")',
  ],
  [
    'a limit that an issued key may exceed',
    set(`${headers} X-RateLimit-Limit schema maximum`, 100),
    atValue(`${headers} X-RateLimit-Limit schema maximum`),
    '/headers/x-ratelimit-limit must be at most 100',
  ],
  [
    '415 without Accept',
    remove(`${responses} UnsupportedMediaType headers Accept`),
    atValue(`${responses} UnsupportedMediaType headers`),
    '/headers/accept is not a known field (it is "application/json")',
  ],
  [
    'Retry-After renamed',
    rename(`${responses} Unavailable headers Retry-After`, 'Retry-In'),
    atValue(`${responses} Unavailable headers`),
    '/headers/retry-after is not a known field',
  ],
  [
    'an operation without 415',
    remove('paths /tools post responses 415'),
    atValue('paths /tools post responses'),
    'the status 415 is not declared',
  ],
  [
    'no 405 to undeclared operations',
    remove('x-undeclared-operations 405'),
    atValue('x-undeclared-operations'),
    'the status 405 is not declared',
  ],
  [
    'a success without X-Request-Id',
    remove('paths /tools get responses 200 headers X-Request-Id'),
    atValue('paths /tools get responses 200 headers'),
    '/headers/x-request-id is not a known field',
  ],
  [
    'a success with a header that only deprecated operations have',
    set('paths /tools get responses 200 headers Sunset', { required: true, schema: true }),
    atValue('paths /tools get responses 200 headers Sunset'),
    '/headers/sunset is missing',
  ],
  [
    'links that are shorter than one to a successor with a long path parameter',
    set('components headers Link schema maxLength', 200),
    atValue('components headers Link schema maxLength'),
    '/headers/link must have at most 200 characters',
  ],
  [
    'a member of Error is required that it does not allow',
    set(`${error} required`, ['code', 'message', 'status', 'title']),
    atValue(`${error} required`),
    '/body/title is missing',
  ],
]

/** Edits after which errors are sent as they are declared, not in the format of the API. */
const differing: typeof rejected = [
  [
    'a header of malformed requests that is not sent',
    set(`${responses} BadRequestFraming headers Allow`, { $ref: '#/components/headers/Allow' }),
    atValue(`${responses} BadRequestFraming headers Allow`),
    '/headers/allow is missing',
  ],
  [
    'another body of malformed requests',
    set(`${framing} allOf 1 properties status`, { enum: [400, 408] }),
    atValue(`${framing} allOf 1 properties status enum`),
    '/body/status must be one of 400, 408',
  ],
  [
    'an error code without a value in the enum',
    remove('components schemas ErrorCode enum 2'),
    atValue('components schemas ErrorCode enum'),
    '/body/code must be one of invalid_request, bad_request_framing',
  ],
  [
    'messages of at most 20 characters',
    set(`${error} properties message maxLength`, 20),
    atValue(`${error} properties message maxLength`),
    '/body/message must have at most 20 characters',
  ],
  [
    'at most 50 details',
    set(`${error} properties details maxItems`, 50),
    atValue(`${error} properties details maxItems`),
    '/body/details must have at most 50 items',
  ],
]

const folder = createTemporaryFolder(afterAll)
const base = await readBase()

/** Writes the description with an edit, and checks it; returns its line, too, and the compiled text. */
async function check(edit: Edit, place: Place) {
  const text = editText(base, edit)
  const { line } = createLocator(text)(place)
  const spec = join(folder, `${line}.yaml`)
  await writeFile(spec, text)
  const json = JSON.stringify(await bundleDescription(await openDescription(spec)))
  const served: Changes['edit'] = (description) => Object.assign(description, JSON.parse(json))
  return {
    ...checkOwnResponses(spec, json, errorObject),
    begin: `${shortPath(spec)}:${line}:`,
    served,
  }
}

test.for(rejected)('%s: the check names the line', async ([, edit, place, problem]) => {
  const { errors, begin } = await check(edit, place)
  const found = errors.filter((each) => each.startsWith(begin) && each.includes(`: ${problem}`))
  expect(found, errors.join('\n')).not.toEqual([])
})

test('a service whose own responses are not allowed does not start, and names each of them', async () => {
  const edits = rejected.map(([, edit]) => edit)
  const { served } = await check(together(...edits), atValue('paths'))
  const starting = startFixtureWith({ edit: served })
  await expect(starting).rejects.toThrow(
    /^generated\/openapi\.json#\/\S+: The service itself sends .+: npm run check$/s,
  )
  for (const [, , , problem] of rejected) {
    await expect(starting).rejects.toThrow(`: ${problem}`)
  }
})

test.for(differing)(
  '%s: the check warns, and errors are sent as declared',
  async ([, edit, place, problem]) => {
    const { errors, warnings, served } = await check(edit, place)
    expect(errors).toEqual([])
    expect(warnings.filter((each) => each.includes(`: ${problem}`))).not.toEqual([])
    const { origin, send } = await startFixtureWith({ edit: served })
    expect((await send(`${tools}?x=1`)).status).toBe(400)
    const { text } = await sendBytes(origin, `GET ${tools} HTTP/1.1\r\n\r\n`)
    expect(text).toContain('400 Bad Request')
  },
)

test('a description that allows what the service itself sends has no violation, and every response keeps it', async () => {
  await provokeAll()
  // Wider than what is sent.
  await provokeAll(({ components }) => {
    components.headers['Retry-After'].schema = { type: 'number', maximum: 100_000 }
    components.headers.Allow.schema = { type: 'string', maxLength: 100 }
    components.schemas.Error.properties.hint = { type: 'string' }
  })
})

test('with rate limits off, responses of rate limits need not be declared', async () => {
  const edit: Changes['edit'] = ({ paths, 'x-undeclared-operations': undeclared }) => {
    delete undeclared[429]
    for (const item of Object.values<Record<string, { responses?: Record<string, object> }>>(
      paths,
    )) {
      for (const { responses: own } of Object.values(item)) {
        delete own?.[429]
      }
    }
  }
  await expect(startFixtureWith({ edit })).rejects.toThrow('the status 429 is not declared')
  await startFixtureWith({ edit }, { RATE_LIMITS: 'off' })
})

test('examples of errors have messages that the service sends', () => {
  const all = Object.values(fixtureApi.operations)
  const description = readBundled(fixtureApi.description)
  const setup = { description, texts: textsOfSchemes(description), rateLimits: true }
  const sent = [
    ...all.flatMap((operation) => responsesTo(operation, setup)),
    ...responsesToUndeclared(all, setup),
    ...framingResponses(),
  ]
  const known = new Set(sent.map(({ error: sentError }) => toForm(sentError?.message)))
  const { responses } = toObject(fixtureApi.description['components'])
  const examples = Object.values(toObject(responses)).flatMap((response) => {
    const content = toObject(toObject(toObject(response)['content'])['application/json'])
    return Object.values(toObject(content['examples'])).map((example) => toObject(example)['value'])
  })
  const unknown = examples
    .map(toObject)
    // Handlers say what does not exist.
    .filter(({ code }) => code !== 'not_found')
    .filter(({ message }) => !known.has(toForm(message)))
  expect(examples.length).toBeGreaterThan(10)
  expect(unknown).toEqual([])
})

/** Returns a message without its numbers and methods. */
function toForm(message: unknown): string {
  return String(message)
    .replaceAll(/\d+ (second|place)s?\b/g, '# $1')
    .replaceAll(/\d+/g, '#')
    .replaceAll(/\b[A-Z-]{3,}\b/g, 'METHOD')
}
