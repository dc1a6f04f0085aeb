import { expect, test } from 'vitest'
import { startTestService } from '../../helpers/service.ts'
import { runCommand } from './support/command.ts'
import { createConsumer, findCompiler, installWithTools } from './support/installed-package.ts'
import { readSnippets } from './support/readme.ts'

/** What each prints, with three pets in the store. */
const printed = new Map<string, RegExp>([
  ['First call', /^4 Rex\n$/],
  ['Methods', /^4 2\n$/],
  ['Types', /^Bo: available, Bo: available, Bo: sold\n$/],
  ['Pages', /^second page: 1\nanimals: Bo, Bo, Bo\npage of 2\npage of 1\n$/],
  ['Errors', /^invalid_request 400 .+\n\/body\/name .+\nask for help with [\w-]+\n$/],
  ['Retries', /^the same animal: true\n$/],
  ['Timeouts and cancelling', /^in time: 3\nThe user went away\.\n$/],
  ['Rate limit', /^9\d{5} of 1000000 left until \d{4}-\d\d-\d\dT.+Z\n$/],
  ['Bulk jobs', /^added: 30\n$/],
  ['Deprecation', /^getPet will be removed on \d{4}-\d\d-\d\dT.+Z\. Use .+\.\n$/],
  ['Beneath the methods', /^200 2 undefined\n$/],
  ['Your own fetch', /^GET \/v1\/pets 200\n$/],
  ['Testing your code', /^from the examples: .+\napi_key_banned\nTom\n$/],
])

const snippets = readSnippets('ts')
const [prelude = ''] = /^.*^const store = .*?\n/ms.exec(snippets.get('First call') ?? '') ?? []

function toProgram(heading: string): string {
  const code = snippets.get(heading) ?? ''
  return code.startsWith(prelude) ? code : `${prelude}${code}`
}

test('every snippet of the README has a test', () => {
  expect([...snippets.keys()]).toEqual([...printed.keys()])
  expect([...readSnippets('html').keys()]).toEqual(['Browsers'])
  expect(readSnippets('[^\\n]*').size).toBe(printed.size + ['Install', 'Browsers'].length)
})

test.each([...printed])('the snippet "%s" of the README works', async (heading, expected) => {
  const { baseUrl, apiKey, client } = await startTestService()
  for (const status of ['available', 'available', 'sold'] as const) {
    await client.createPet({ name: 'Bo', categoryId: 1, status })
  }
  const files = { 'snippet.ts': toProgram(heading) }
  const folder = await createConsumer(files, installWithTools())
  const env = { ANIMAL_STORE_URL: baseUrl, ANIMAL_STORE_KEY: apiKey }
  expect(await runCommand(process.execPath, ['snippet.ts'], folder, env)).toMatch(expected)
})

test('the snippets of the README compile under the strictest options', async () => {
  const names = [...snippets.keys()].map((heading) => `${heading.replaceAll(' ', '-')}.ts`)
  const programs = [...snippets.keys()].map(toProgram)
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ noPropertyAccessFromIndexSignature: true, noEmit: true },
    ...{ module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'] },
    ...{ types: ['node'], skipDefaultLibCheck: true },
  }
  const config = JSON.stringify({ compilerOptions, files: names })
  const files = names.map((name, index) => [name, programs[index] ?? ''])
  const folder = await createConsumer(
    { ...Object.fromEntries(files), 'tsconfig.json': config },
    installWithTools(),
  )
  const compiler = await findCompiler('7.0')
  expect(await runCommand(process.execPath, [compiler, '-p', 'tsconfig.json'], folder)).toBe('')
})
