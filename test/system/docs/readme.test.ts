import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { readConfig } from '../../../server/config.ts'
import { createPetStore } from '../../../server/pets/pet-store.ts'
import { engines } from '../../helpers/places/engines.ts'
import { openAt } from '../../helpers/places/place.ts'
import { createSqlitePlace } from '../../helpers/places/sqlite-place.ts'
import { project, runInShell, startProgram } from '../../helpers/program.ts'
import { planTerms, startTestService } from '../../helpers/service.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { variables } from '../../helpers/variables.ts'
import { allNames } from '../bulk/files.ts'

const readme = readFileSync(join(project, 'README.md'), 'utf8')

function blocks(language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')
  return [...readme.matchAll(fence)].map(([, block = '']) => block)
}

test('the README names every npm script, and no other', () => {
  const named = [...readme.matchAll(/npm (?:run (?:-s )?)?([a-z][a-z:-]*[a-z])/g)].map(
    ([, name]) => name,
  )
  // npm runs it after an installation.
  const scripts = Object.keys(packageJson.scripts).filter((name) => name !== 'prepare')
  const builtIn = ['audit', 'ci', 'install', 'may', 'pack', 'run', 'sbom', 'will']
  expect(new Set(named.filter((name) => !builtIn.includes(name ?? '')))).toEqual(new Set(scripts))
})

test('the table of environment variables has each one, with its default', () => {
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
  const lines = `export KEY=${apiKey}\n${script.replaceAll('curl ', 'curl -fsS ')}`
  const { output } = await runInShell(`set -eu\n${lines}`)
  const rex = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}'
  expect(output).toBe(`${rex}[${rex}]${rex}`)
})

test('the client snippet of the README works as it stands', async () => {
  const { origin, apiKey } = await startTestService()
  const [snippet = ''] = blocks('ts')
  const client = new URL('../../../client/index.ts', import.meta.url)
  const program = snippet
    .replace('animal-store-client', client.href)
    .replace('http://127.0.0.1:3000', origin)
  const file = join(createTemporaryFolder(), 'snippet.ts')
  writeFileSync(file, program)
  const { output } = await startProgram(file, [], { env: { KEY: apiKey } }).ended
  expect(output).toContain('1 1\n')
  expect(output).toMatch(/^invalid_request 400 \[\s+\{\s+path: '\/body\/name'/m)
})

/** Returns the commands of a section, without npm, so that any folder can be the working folder. */
function commandsOf(section: string): string[] {
  const [, commands = ''] =
    new RegExp(`^### ${section}\n+\`\`\`sh\n(.*?)^\`\`\`$`, 'ms').exec(readme) ?? []
  const scripts: Readonly<Record<string, string>> = packageJson.scripts
  const toProgram = (_: string, name: string): string =>
    (scripts[name] ?? '').replace('node ', `${process.execPath} ${project}/`)
  return commands
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^npm run (?:-s )?([a-z-]+) --/, toProgram))
}

test('the commands of the README for bulk load work in their order', async () => {
  const place = await createSqlitePlace()
  const folder = createTemporaryFolder()
  writeFileSync(join(folder, 'animals.csv'), 'name,categoryId\nRex,7\n')
  writeFileSync(
    join(folder, 'animals.ndjson'),
    '{"name":"Mia","categoryId":7,"status":"sold"}\n{}\n',
  )
  const commands = commandsOf('Bulk load')
  expect(commands).toHaveLength(5)
  const script = [`export DATABASE_URL='${place.url}'`, `cd ${folder}`, ...commands]
  expect(await runInShell(script.join(' && '))).toMatchObject({ status: 0, complaint: '' })
  expect(await allNames(await openAt(place))).toEqual(['Rex', 'Mia', 'Rex', 'Mia'])
  expect(readdirSync(folder).sort()).toEqual([
    'animals.csv',
    'animals.ndjson',
    'bad-lines.txt',
    'everything.ndjson',
    'sold.csv',
  ])
  expect(readFileSync(join(folder, 'bad-lines.txt'), 'utf8')).toMatch(/^Line 2: /)
  const sold = 'id,name,categoryId,status\r\n2,Mia,7,sold\r\n'
  expect(readFileSync(join(folder, 'sold.csv'), 'utf8')).toBe(sold)
})

test('the commands of the README for backup and restore work in their order', async () => {
  const place = await createSqlitePlace()
  const store = await openAt(place)
  await createPetStore(store.database).add({ name: 'Rex', categoryId: 1 })
  const [backup, restore] = commandsOf('Backup and restore')
  const start = `export DATABASE_URL='${place.url}' && cd ${createTemporaryFolder()}`
  const folder = await runInShell(`${start} && pwd && ${backup}`)
  expect(folder).toMatchObject({ status: 0, complaint: '' })
  await createPetStore(store.database).add({ name: 'Mia', categoryId: 1 })
  await store.close()
  const [name = ''] = folder.output.split('\n')
  const back = await runInShell(`export DATABASE_URL='${place.url}' && cd ${name} && ${restore}`)
  expect(back).toMatchObject({ status: 0, complaint: '' })
  expect(await allNames(await openAt(place))).toEqual(['Rex'])
})

test('the command of the README for moving to PostgreSQL works', async () => {
  const source = await createSqlitePlace()
  await createPetStore((await openAt(source)).database).add({ name: 'Rex', categoryId: 1 })
  const target = await engines.find(({ name }) => name !== 'SQLite')?.createPlace()
  const [command = ''] = commandsOf('Moving to PostgreSQL')
  const line = command
    .replace('sqlite:data/animal-store.sqlite', `'${source.url}'`)
    .replace('postgres://USER:PASSWORD@HOST:PORT/DATABASE', `'${target?.url}'`)
  expect(await runInShell(line)).toMatchObject({ status: 0, complaint: '' })
  expect(await allNames(await openAt({ url: target?.url ?? '' }))).toEqual(['Rex'])
})

const read = (name: string): string => readFileSync(join(project, name), 'utf8')

const rows = read('docs/limits.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| limit |'))
  .map((row) => {
    const [, limit = '', number = '', place = '', beyond = ''] = row.split('|')
    return { limit: limit.trim(), number, place: place.trim(), beyond: beyond.trim() }
  })
const named = rows.flatMap(({ number, place }) => {
  const [, name] = /^`([A-Z_]{2,})`$/.exec(place) ?? []
  return name === undefined ? [] : [{ name, number: number.replaceAll(/\D/g, '') }]
})

test('docs/limits.md has each variable that is a limit, with its default', () => {
  // A test of the README compares its defaults with those of the service.
  const table = [...read('README.md').matchAll(/^\| `([A-Z_]+)` \| `([^`]*)` \|/gm)]
  const defaults = new Map(table.map(([, name, value]) => [name, value]))
  for (const { name, number } of named) expect(number, name).toBe(defaults.get(name))
  const limits = variables.filter((name) =>
    /MAX|SECONDS|HOURS|PER_|AFTER|SIZE|_MS|AT_ONCE/.test(name),
  )
  expect(named.map(({ name }) => name).toSorted()).toEqual(limits.toSorted())
})

test('docs/limits.md has the limits of each plan', () => {
  for (const plan of ['free', 'pro', 'business'] as const) {
    const { perMinute, perDay } = planTerms(plan)
    const { number } = rows.find(({ limit }) => limit.endsWith(`\`${plan}\``)) ?? {}
    const [minute, day] = [perMinute, perDay].map((each) => each.toLocaleString('en'))
    expect(number?.trim()).toBe(`${minute} a minute, ${day} a day`)
  }
})

test('docs/limits.md says for each limit what happens beyond it', () => {
  expect(rows.length).toBeGreaterThan(30)
  const silent = rows.filter(({ beyond }) => beyond === '').map(({ limit }) => limit)
  expect(silent).toEqual(['length of a ban'])
})

test('docs/operations.md has the messages of the log as they are in the code', () => {
  const rows = read('docs/operations.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const messages = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
  const code = globSync('server/**/*.ts', { cwd: project }).map(read).join()
  expect(messages.length).toBeGreaterThan(10)
  // What is a parameter in the code is not compared.
  const fixed = messages.map(([, message = '']) => message.split(/…| MAX_/)[0] ?? '')
  expect(fixed.filter((message) => !code.includes(message))).toEqual([])
})
