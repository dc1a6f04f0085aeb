import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
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

// That it names no other is a test of all pages.
test('the README names every npm script', () => {
  const named = [...readme.matchAll(/npm (?:run (?:-s )?)?([a-z][a-z:-]*[a-z])/g)]
  // npm runs it after an installation.
  const scripts = Object.keys(packageJson.scripts).filter((name) => name !== 'prepare')
  expect(named.map(([, name]) => name)).toEqual(expect.arrayContaining(scripts))
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

test('the commands of docs/operations.md for bulk load, backup, restore and moving to PostgreSQL work in their order', async () => {
  const db = await createSqliteDatabase()
  const copy = await createProjectCopy()
  const run = async (...commands: readonly string[]) => {
    const script = [`cd ${copy}`, `export DATABASE_URL='${db.url}'`, ...commands].join(' && ')
    expect(await runInShell(script)).toMatchObject({ status: 0 })
  }
  writeFileSync(join(copy, 'pets.csv'), 'name,categoryId\nRex,7\n')
  writeFileSync(join(copy, 'pets.ndjson'), '{"name":"Mia","categoryId":7,"status":"sold"}\n{}\n')
  const load = commandsOf('Bulk load')
  expect(load).toHaveLength(5)
  await run(...load)
  expect(await allNames(db)).toEqual(['Rex', 'Mia', 'Rex', 'Mia'])
  const read = (name: string) => readFileSync(join(copy, name), 'utf8')
  expect(read('bad-lines.txt')).toMatch(/^Line 2: /)
  expect(read('sold.csv')).toBe('id,name,categoryId,status\r\n2,Mia,7,sold\r\n')
  expect(read('everything.ndjson').split('\n')).toHaveLength(3)

  const [backup = '', restore = ''] = commandsOf('Backup and restore')
  await run(backup)
  await db.execute('DELETE FROM animals')
  await run(restore)
  expect(await allNames(db)).toHaveLength(4)

  const target = await createPostgresDatabase()
  const [move = ''] = commandsOf('Moving to PostgreSQL')
  const line = move
    .replace('sqlite:data/animal-store.sqlite', `'${db.url}'`)
    .replace('postgres://USER:PASSWORD@HOST:PORT/DATABASE', `'${target.url}'`)
  await run(line)
  expect(await allNames(target)).toEqual(await allNames(db))
})
