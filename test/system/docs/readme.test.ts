import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { createPetStore } from '../../../server/pets/pet-store.ts'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { project, runInShell, startProgram } from '../../helpers/program.ts'
import { startTestService } from '../../helpers/service.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { allNames } from '../bulk/files.ts'

const readme = readFileSync(join(project, 'README.md'), 'utf8')
const operations = readFileSync(join(project, 'docs/operations.md'), 'utf8')

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
  const builtIn = ['ci', 'may', 'pack']
  expect(new Set(named.filter((name) => !builtIn.includes(name ?? '')))).toEqual(new Set(scripts))
})

test('the curl commands of the README work in their order', async () => {
  const { origin, apiKey } = await startTestService()
  const commands = blocks('sh').find((block) => block.includes('curl')) ?? ''
  const script = commands
    .replace(/^export KEY=.*$/m, '')
    .replaceAll('http://127.0.0.1:3000', origin)
  const lines = `export KEY=${apiKey}\n${script.replaceAll('curl ', 'curl -fsS ')}`
  const { output } = await runInShell(`set -eu\n${lines}`)
  const rex = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}'
  expect(output).toBe(`${rex}[${rex}]${rex}`)
})

test('the client snippet of the README works', async () => {
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

/** Returns the commands of a section of docs/operations.md, without npm, so that any folder can be the working folder. */
function commandsOf(section: string): string[] {
  const [, commands = ''] =
    new RegExp(`^## ${section}\n+\`\`\`sh\n(.*?)^\`\`\`$`, 'ms').exec(operations) ?? []
  const scripts: Readonly<Record<string, string>> = packageJson.scripts
  const toProgram = (_: string, name: string): string =>
    (scripts[name] ?? '').replace('node ', `${process.execPath} ${project}/`)
  return commands
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^npm run (?:-s )?([a-z-]+) --/, toProgram))
}

test('the commands of docs/operations.md for bulk load work in their order', async () => {
  const db = await createSqliteDatabase()
  const folder = createTemporaryFolder()
  writeFileSync(join(folder, 'pets.csv'), 'name,categoryId\nRex,7\n')
  writeFileSync(join(folder, 'pets.ndjson'), '{"name":"Mia","categoryId":7,"status":"sold"}\n{}\n')
  const commands = commandsOf('Bulk load')
  expect(commands).toHaveLength(5)
  const script = [`export DATABASE_URL='${db.url}'`, `cd ${folder}`, ...commands]
  expect(await runInShell(script.join(' && '))).toMatchObject({ status: 0, complaint: '' })
  expect(await allNames(await openAt(db))).toEqual(['Rex', 'Mia', 'Rex', 'Mia'])
  expect(readdirSync(folder).sort()).toEqual([
    'bad-lines.txt',
    'everything.ndjson',
    'pets.csv',
    'pets.ndjson',
    'sold.csv',
  ])
  expect(readFileSync(join(folder, 'bad-lines.txt'), 'utf8')).toMatch(/^Line 2: /)
  const sold = 'id,name,categoryId,status\r\n2,Mia,7,sold\r\n'
  expect(readFileSync(join(folder, 'sold.csv'), 'utf8')).toBe(sold)
})

test('the commands of docs/operations.md for backup and restore work in their order', async () => {
  const db = await createSqliteDatabase()
  const store = await openAt(db)
  await createPetStore(store.database).add({ name: 'Rex', categoryId: 1 })
  const [backup, restore] = commandsOf('Backup and restore')
  const start = `export DATABASE_URL='${db.url}' && cd ${createTemporaryFolder()}`
  const folder = await runInShell(`${start} && pwd && ${backup}`)
  expect(folder).toMatchObject({ status: 0, complaint: '' })
  await createPetStore(store.database).add({ name: 'Mia', categoryId: 1 })
  await store.close()
  const [name = ''] = folder.output.split('\n')
  const back = await runInShell(`export DATABASE_URL='${db.url}' && cd ${name} && ${restore}`)
  expect(back).toMatchObject({ status: 0, complaint: '' })
  expect(await allNames(await openAt(db))).toEqual(['Rex'])
})

test('the command of docs/operations.md for moving to PostgreSQL works', async () => {
  const source = await createSqliteDatabase()
  await createPetStore((await openAt(source)).database).add({ name: 'Rex', categoryId: 1 })
  const target = await createPostgresDatabase()
  const [command = ''] = commandsOf('Moving to PostgreSQL')
  const line = command
    .replace('sqlite:data/animal-store.sqlite', `'${source.url}'`)
    .replace('postgres://USER:PASSWORD@HOST:PORT/DATABASE', `'${target.url}'`)
  expect(await runInShell(line)).toMatchObject({ status: 0, complaint: '' })
  expect(await allNames(await openAt(target))).toEqual(['Rex'])
})
