import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { allNames } from '../bulk/files.ts'
import { engines } from '../support/places/engines.ts'
import { openAt } from '../support/places/place.ts'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { runInShell } from '../support/program.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const project = new URL('../..', import.meta.url).pathname

/** The commands of a section, as what npm would run for them, from any folder. */
function commandsOf(section: string): string[] {
  const [, commands = ''] =
    new RegExp(`^### ${section}\n+\`\`\`sh\n(.*?)^\`\`\`$`, 'ms').exec(readme) ?? []
  const scripts: Readonly<Record<string, string>> = packageJson.scripts
  const toProgram = (_: string, name: string): string =>
    (scripts[name] ?? '').replace('node ', `${process.execPath} ${project}`)
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

test('the commands of the README for a backup and its return work in their order', async () => {
  const place = await createSqlitePlace()
  const store = await openAt(place)
  await store.animals.add({ name: 'Rex', categoryId: 1 })
  const [backup, restore] = commandsOf('Backup and restore')
  const start = `export DATABASE_URL='${place.url}' && cd ${createTemporaryFolder()}`
  const folder = await runInShell(`${start} && pwd && ${backup}`)
  expect(folder).toMatchObject({ status: 0, complaint: '' })
  await store.animals.add({ name: 'Mia', categoryId: 1 })
  await store.close()
  const [name = ''] = folder.output.split('\n')
  const back = await runInShell(`export DATABASE_URL='${place.url}' && cd ${name} && ${restore}`)
  expect(back).toMatchObject({ status: 0, complaint: '' })
  expect(await allNames(await openAt(place))).toEqual(['Rex'])
})

test('the command of the README for moving to PostgreSQL works', async () => {
  const source = await createSqlitePlace()
  await (await openAt(source)).animals.add({ name: 'Rex', categoryId: 1 })
  const target = await engines.find(({ name }) => name !== 'SQLite')?.createPlace()
  const [command = ''] = commandsOf('Moving to PostgreSQL')
  const line = command
    .replace('sqlite:data/animal-store.sqlite', `'${source.url}'`)
    .replace('postgres://USER:PASSWORD@HOST:PORT/DATABASE', `'${target?.url}'`)
  expect(await runInShell(line)).toMatchObject({ status: 0, complaint: '' })
  expect(await allNames(await openAt({ url: target?.url ?? '' }))).toEqual(['Rex'])
})
