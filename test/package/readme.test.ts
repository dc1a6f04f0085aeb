import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from '../pipeline/support/workspace.ts'
import { startTestService } from '../support/service.ts'
import { openPage } from './support/chromium.ts'
import { runCommand } from './support/command.ts'
import { createConsumer } from './support/consumer.ts'
import { serveFiles } from './support/file-server.ts'
import { installWithTools } from './support/package.ts'
import { findCompiler } from './support/type-scripts.ts'

const readme = readFileSync(join(project, 'client/README.md'), 'utf8')

/** The snippets in a language, by the heading that they stand under; there is one under each. */
function snippetsIn(language: string): ReadonlyMap<string, string> {
  const [, ...sections] = readme.split(/^## /m)
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')
  const found = sections.flatMap((section) =>
    Array.from(section.matchAll(fence), ([, code = '']): [string, string] => [
      section.slice(0, section.indexOf('\n')),
      code,
    ]),
  )
  const snippets = new Map(found)
  expect(snippets.size, 'one snippet under a heading').toBe(found.length)
  return snippets
}

/** What each prints, with three animals in the store. */
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
  ['Deprecation', /^getPet goes on \d{4}-\d\d-\d\dT.+Z\. Use .+\.\n$/],
  ['Beneath the methods', /^200 2 undefined\n$/],
  ['Your own fetch', /^GET \/v1\/pets 200\n$/],
  ['Testing your code', /^from the examples: .+\napi_key_banned\nTom\n$/],
])

const snippets = snippetsIn('ts')
const [prelude = ''] = /^.*^const store = .*?\n/ms.exec(snippets.get('First call') ?? '') ?? []

function toProgram(heading: string): string {
  const code = snippets.get(heading) ?? ''
  return code.startsWith(prelude) ? code : `${prelude}${code}`
}

test('every snippet of the README is run', () => {
  expect([...snippets.keys()]).toEqual([...printed.keys()])
  expect([...snippetsIn('html').keys()]).toEqual(['Browsers'])
  expect(snippetsIn('[^\\n]*').size).toBe(printed.size + ['Install', 'Browsers'].length)
})

test.each([...printed])('the snippet "%s" does what it says', async (heading, expected) => {
  const { baseUrl, apiKey, client } = await startTestService()
  for (const status of ['available', 'available', 'sold'] as const) {
    await client.createPet({ name: 'Bo', categoryId: 1, status })
  }
  const files = { 'snippet.ts': toProgram(heading) }
  const folder = await createConsumer(files, installWithTools())
  const env = { ANIMAL_STORE_URL: baseUrl, ANIMAL_STORE_KEY: apiKey }
  expect(await runCommand(process.execPath, ['snippet.ts'], folder, env)).toMatch(expected)
})

test('the page of the README shows how many animals there are', async (context) => {
  const page = await openPage(context)
  const html = `<!doctype html>${snippetsIn('html').get('Browsers')}`
  const origin = await serveFiles(await createConsumer({ 'page.html': html }))
  const { baseUrl, apiKey, client } = await startTestService({ CORS_ORIGINS: origin })
  await client.createPet({ name: 'Bo', categoryId: 1 })
  const kept = JSON.stringify({ baseUrl, apiKey })
  await page.addInitScript(`Object.assign(sessionStorage, ${kept})`)
  await page.goto(`${origin}/page.html`)
  await page.waitForFunction('document.title !== ""')
  expect(await page.title()).toBe('1 animals')
})

test('the snippets compile under the strictest options', async () => {
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
