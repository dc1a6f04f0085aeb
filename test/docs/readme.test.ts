import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { readConfig } from '../../server/config.ts'
import { startTestService } from '../support/service.ts'
import { variables } from '../support/variables.ts'

const run = promisify(execFile)
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

function blocks(language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')
  return [...readme.matchAll(fence)].map(([, block = '']) => block)
}

test('every npm script that the README names exists, and every script is named', () => {
  const named = [...readme.matchAll(/npm (?:run (?:-s )?)?([a-z][a-z-]*)/g)].map(([, name]) => name)
  const scripts = Object.keys(packageJson.scripts)
  const builtIn = ['audit', 'ci', 'install', 'may', 'pack', 'run', 'sbom', 'will']
  expect(new Set(named.filter((name) => !builtIn.includes(name ?? '')))).toEqual(new Set(scripts))
})

test('the table of variables has each variable that is read, with its default', () => {
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|/gm)]
  const documented = rows.map(([, name = '']) => name)
  expect(documented).toEqual(variables.filter((name) => name !== 'NODE_ENV'))
  const defaults = rows.map(([, name = '', value = '']) => [name, value])
  expect(readConfig(Object.fromEntries(defaults))).toEqual(readConfig({}))
})

test('the curl commands of the README work in their order', async () => {
  const { origin, apiKey } = await startTestService()
  const [, commands = ''] = blocks('sh')
  const script = commands
    .replace(/^export KEY=.*$/m, '')
    .replaceAll('http://127.0.0.1:3000', origin)
  const { stdout } = await run('sh', ['-euc', script.replaceAll('curl ', 'curl -fsS ')], {
    env: { PATH: process.env['PATH'], KEY: apiKey },
  })
  const rex = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}'
  expect(stdout).toBe(`${rex}[${rex}]${rex}`)
})

test('the client snippet of the README works as it stands', async () => {
  const { origin, apiKey } = await startTestService()
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-readme-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [snippet = ''] = blocks('ts')
  const client = new URL('../../client/index.ts', import.meta.url)
  const program = snippet
    .replace('animal-store-client', client.href)
    .replace('http://127.0.0.1:3000', origin)
  const file = join(folder, 'snippet.ts')
  writeFileSync(file, program)
  const { stdout } = await run(process.execPath, [file], { env: { KEY: apiKey } })
  expect(stdout).toContain('1 1\n')
  expect(stdout).toMatch(/^invalid_request 400 \[\s+\{\s+path: '\/body\/name'/m)
})
