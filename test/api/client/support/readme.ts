import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect } from 'vitest'
import { run } from '../../../helpers/client-package/consumer.ts'
import { startAnimalStore } from '../../support/service.ts'

export const readme = readFileSync(new URL('../../../../client/README.md', import.meta.url), 'utf8')

/** The snippets of the README by the heading above them: there is one under each. */
const snippets = new Map<string, { readonly language: string; readonly code: string }>()
for (const section of readme.split(/^## /m)) {
  const [, heading = ''] = /^(.*)\n/.exec(section) ?? []
  const [, language = '', code = ''] = /^```(\w+)\n(.*?)^```$/ms.exec(section) ?? []
  if (code !== '') {
    snippets.set(heading, { language, code })
  }
}

/** The page of the README that loads the modules. */
export const readmePage = snippets.get('Browsers')?.code ?? ''

const first = snippets.get('First call')?.code ?? ''
const [prelude = ''] = /^.*^const store = .*?\n/ms.exec(first) ?? []

/** The TypeScript snippets by their headings, each as a program of its own. */
export const programs: ReadonlyMap<string, string> = new Map(
  Array.from(snippets)
    .filter(([, { language }]) => language === 'ts')
    .map(([heading, { code }]) => [heading, code === first ? code : `${prelude}${code}`]),
)

/** What the snippets print, with three pets in the store. */
const printed: ReadonlyMap<string, RegExp> = new Map([
  ['First call', /^4 Rex\n$/],
  ['Methods', /^4 2\n$/],
  ['Data with its response', /^2 200 [\w-]+ 9\d{5}\n$/],
  ['Types', /^Bo: available, Bo: available\nPuppy\nnot_found\n$/],
  ['Pages', /^second page: 1\npets: Bo, Bo, Bo\npage of 2\npage of 1\n$/],
  ['React', /^2 and 1 2\n$/],
  ['Errors', /^invalid_request 400 .+\n\/body\/name .+\nask for help with [\w-]+\n$/],
  ['Retries', /^the same pet: true\n$/],
  ['Timeouts and cancelling', /^in time: 3\nThe user went away\.\n$/],
  ['Rate limit', /^9\d{5} of 1000000 left until \d{4}-\d\d-\d\dT.+Z\n$/],
  ['Bulk jobs', /^added: 30\n$/],
  ['Deprecation', /^getPet will be removed on \d{4}-\d\d-\d\dT.+Z\. Use .+\.\n$/],
  ['Beneath the methods', /^200 2 undefined\n$/],
  ['Your own fetch', /^GET \/v1\/pets 200\n$/],
  ['Testing your code', /^from the examples: .+\napi_key_banned\nTom\n$/],
])

/** Snippets that are not for pages: a header that the service does not allow there, and a mock. */
const onlyOnNode = ['Methods', 'Testing your code']
export const onPages = [...programs.keys()].filter((heading) => !onlyOnNode.includes(heading))

/** Returns the name of the file of a snippet, without its extension. */
export const fileOf = (heading: string): string => heading.replaceAll(' ', '-')

/** Starts a service with three pets for each snippet; writes it into a folder, as JavaScript on that service. */
export async function writeSnippets(folder: string, environment = {}): Promise<void> {
  const writing = Array.from(programs, async ([heading, program]) => {
    const { baseUrl, apiKey, client } = await startAnimalStore(environment)
    for (const status of ['available', 'available', 'sold'] as const) {
      await client.createPet({ name: 'Bo', categoryId: 1, status })
    }
    const code = stripTypeScriptTypes(program)
      .replace("process.env['ANIMAL_STORE_URL']", JSON.stringify(baseUrl))
      .replace("process.env['ANIMAL_STORE_KEY']", JSON.stringify(apiKey))
    await writeFile(join(folder, `${fileOf(heading)}.js`), `console.log('---')\n${code}`)
  })
  await Promise.all(writing)
}

/** Returns a program that runs snippets one after the other. */
export function runnerOf(headings: readonly string[]): string {
  const imports = headings.map((heading) => `await import('./${fileOf(heading)}.js')`)
  return [...imports, "console.log('---')"].join('\n')
}

/** Expects what a program has printed that runs snippets. */
export function expectPrinted(output: string, headings: readonly string[]): void {
  const texts = output.split('---\n')
  for (const [at, heading] of headings.entries()) {
    expect(texts[at + 1], `the snippet "${heading}"`).toMatch(printed.get(heading) ?? 'no snippet')
  }
}

/** Runs the snippets, and `require`, with a program of Node; returns its version. */
export async function runSnippets(node: string, folder: string): Promise<string> {
  expect([...programs.keys()]).toEqual([...printed.keys()])
  await writeSnippets(folder)
  // A warning fails the program.
  const start = `process.on('warning', (warning) => { throw warning })
    require('animal-store-client').createPacer()
    console.log(process.version)`
  const runner = `${start}\nvoid (async () => { ${runnerOf([...programs.keys()])} })()`
  await writeFile(join(folder, 'runner.cjs'), runner)
  const output = await run(node, ['--throw-deprecation', 'runner.cjs'], folder)
  expectPrinted(output, [...programs.keys()])
  return output.split('\n', 1).join()
}
