import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { compareDescriptions } from '../../../scripts/diff/compare.ts'
import { printRecord } from '../../../scripts/pipeline/service-file.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { readBase, readFixture } from '../pipeline/support/workspace.ts'

const list = 'GET /tools'
const pagination = { style: 'offset', offsetParam: 'skip', items: '' }
const service = (more: object = {}) => ({
  version: '1.0.0',
  operations: { [list]: { name: 'findTools', pagination } },
  requests: { unknownQueryParameters: 'ignore', maxBytes: 1000 },
  ...more,
})

/** Writes a release with what its `service.yaml` said, and the description with another one; compares both. */
async function compare(before: object | undefined, after: object | undefined, text?: string) {
  const folder = createTemporaryFolder()
  const base = text ?? (await readBase())
  const file = (name: string) => join(folder, name)
  const saveService = (content: object | undefined) => {
    writeFileSync(file('service.yaml'), stringify(content ?? null))
  }

  writeFileSync(file('openapi.yaml'), base)
  saveService(before)
  const record = before === undefined ? '' : printRecord(file('openapi.yaml'))
  writeFileSync(file('released.yaml'), `${base}${record}`)
  saveService(after)
  return compareDescriptions(file('released.yaml'), file('openapi.yaml')).changes
}

const toRow = ({ id, bump, place }: Awaited<ReturnType<typeof compare>>[number]) => {
  return `${bump} ${id} ${place}`
}

test('a release keeps what service.yaml says but the version, and nothing has changed then', async () => {
  const same = service()
  expect(await compare(same, { ...same, version: '1.4.0' })).toEqual([])
  expect(await compare(undefined, undefined)).toEqual([])
})

test('another name in service.yaml is another method, also where the release had the operationId', async () => {
  const renamed = service({ operations: { [list]: { name: 'searchTools', pagination } } })
  const [change, ...others] = await compare(service(), renamed)
  expect(others).toEqual([])
  expect(change).toMatchObject({
    id: 'api-operation-name-changed',
    breaking: true,
    place: list,
    what: '`name` of GET /tools is now `searchTools`; it was `findTools`.',
    operations: [{ name: list }],
  })
  expect(change?.file).toMatch(/service\.yaml$/)
  expect(change?.line).toBe(4)

  const named = await compare(undefined, { operations: { [list]: { name: 'findTools' } } })
  expect(named.map(toRow)).toEqual([`major api-operation-name-changed ${list}`])
  const unnamed = await compare({ operations: { [list]: { name: 'findTools' } } }, undefined)
  expect(unnamed.map(toRow)).toEqual([`major api-operation-name-changed ${list}`])
})

test('a release without the names of operations that need one is not taken for one with other names', async () => {
  const text = (await readBase()).replace('operationId: listTools', 'operationId: list_tools')
  const named = { operations: { [list]: { name: 'listTools' } } }
  expect(await compare(undefined, named, text)).toEqual([])
})

test('pagination of service.yaml that is removed or has another style is breaking', async () => {
  const plain = (await readBase()).replaceAll(/^ *x-paginated-by: .*\n/gm, '')
  const without = { operations: { [list]: { name: 'findTools' } }, requests: service().requests }
  const removed = await compare(service(), without, plain)
  expect(removed.map(toRow)).toEqual([`major api-pagination-removed ${list}`])
  const added = await compare(without, service(), plain)
  expect(added.map(toRow)).toEqual([`minor api-pagination-changed ${list}`])
})

test('a stricter setting of requests is breaking for every operation, a looser one is not', async () => {
  const stricter = { ...service(), requests: { maxBytes: 999 } }
  const found = await compare(service(), stricter)
  expect(found.map(toRow)).toEqual([
    'major request-setting-became-stricter requests.unknownQueryParameters',
    'major request-setting-became-stricter requests.maxBytes',
  ])
  expect(found[0]?.operations.length).toBeGreaterThan(5)
  const looser = await compare(stricter, service())
  expect(looser.map(toRow)).toEqual([
    'minor request-setting-became-looser requests.unknownQueryParameters',
    'minor request-setting-became-looser requests.maxBytes',
  ])
})

test('another media type or schema of errors changes the responses that the platform adds', async () => {
  const fixture = await readFixture()
  const folders = [{}, { errors: { mediaType: 'application/problem+json' } }].map((content) => {
    const folder = createTemporaryFolder()
    const file = join(folder, 'openapi.yaml')
    writeFileSync(file, fixture)
    writeFileSync(join(folder, 'service.yaml'), stringify(content))
    return file
  })
  const [before = '', after = ''] = folders
  const changes = compareDescriptions(before, after).changes.map(({ id, bump }) => `${bump} ${id}`)
  expect(changes).toContain('major response-media-type-removed')
})
