import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { createPetStore } from '../../../server/pets/pet-store.ts'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { project, runInShell, startProgram } from '../../helpers/program.ts'
import { createProjectCopy } from '../../helpers/project-copy.ts'
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

/** Returns the commands of a section of docs/operations.md. */
function commandsOf(section: string): string[] {
  const block = new RegExp(`^## ${section}\n+\`\`\`sh\n(.*?)\n\`\`\`$`, 'ms')
  return block.exec(operations)?.[1]?.split('\n') ?? []
}

/** Runs commands in a copy of the project, on the store of a `DATABASE_URL`. */
async function runIn(copy: string, url: string, ...commands: readonly string[]): Promise<void> {
  const script = [`cd ${copy}`, `export DATABASE_URL='${url}'`, ...commands].join(' && ')
  expect(await runInShell(script)).toMatchObject({ status: 0 })
}

test('the commands of docs/operations.md for bulk load work in their order', async () => {
  const db = await createSqliteDatabase()
  const copy = await createProjectCopy()
  writeFileSync(join(copy, 'pets.csv'), 'name,categoryId\nRex,7\n')
  writeFileSync(join(copy, 'pets.ndjson'), '{"name":"Mia","categoryId":7,"status":"sold"}\n{}\n')
  const commands = commandsOf('Bulk load')
  expect(commands).toHaveLength(5)
  await runIn(copy, db.url, ...commands)
  expect(await allNames(await openAt(db))).toEqual(['Rex', 'Mia', 'Rex', 'Mia'])
  const read = (name: string) => readFileSync(join(copy, name), 'utf8')
  expect(read('bad-lines.txt')).toMatch(/^Line 2: /)
  expect(read('sold.csv')).toBe('id,name,categoryId,status\r\n2,Mia,7,sold\r\n')
  expect(read('everything.ndjson').split('\n')).toHaveLength(3)
})

test('the commands of docs/operations.md for backup and restore work in their order', async () => {
  const db = await createSqliteDatabase()
  const store = await openAt(db)
  await createPetStore(store.database).add({ name: 'Rex', categoryId: 1 })
  const [backup = '', restore = ''] = commandsOf('Backup and restore')
  const copy = await createProjectCopy()
  await runIn(copy, db.url, backup)
  await createPetStore(store.database).add({ name: 'Mia', categoryId: 1 })
  await store.close()
  await runIn(copy, db.url, restore)
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
  await runIn(await createProjectCopy(), source.url, line)
  expect(await allNames(await openAt(target))).toEqual(['Rex'])
})
