import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  api,
  listTrackedFiles,
  made,
  merged,
  ownerOf,
  platformInsideApi,
} from '../../scripts/platform/ownership.ts'
import { project } from '../helpers/program.ts'

const lists = [api, platformInsideApi, merged, made]
const isBelow = (path: string, entry: string) =>
  entry.endsWith('/') ? path.startsWith(entry) : path === entry

test('each file belongs to one owner', async () => {
  const files = await listTrackedFiles()
  expect(files.length).toBeGreaterThan(300)

  const isListedTwice = (path: string) => {
    const listing = [...api, ...merged, ...made].filter((entry) => isBelow(path, entry))
    return listing.length > 1
  }
  expect(files.filter(isListedTwice)).toEqual([])

  const owners = new Map(lists.flat().map((entry) => [entry, ownerOf(entry)]))
  expect(Object.fromEntries(owners)).toMatchObject({
    'server/api/': 'api',
    'spec/platform.yaml': 'platform',
    'package.json': 'merged',
    'generated/': 'made',
  })
})

test('init writes files of the API alone', () => {
  const cwd = join(project, 'scripts/init/templates')
  const templates = globSync('**/*.template', { cwd })
  expect(templates.length).toBeGreaterThan(10)
  const written = templates.map((name) => name.replace(/\.template$/, ''))
  expect(written.filter((path) => ownerOf(path) !== 'api')).toEqual([])
})

test('docs/architecture.md has a table of the same lists', () => {
  const page = readFileSync(join(project, 'docs/architecture.md'), 'utf8')
  const section = page.split('## Two halves')[1]?.split('\n## ')[0] ?? ''
  const rows = [...section.matchAll(/^\| (`.*`) \|/gm)]
  const listed = rows.map(([, cell = '']) =>
    cell.split(', ').map((name) => name.replaceAll('`', '')),
  )
  expect(listed).toEqual(lists)
})
