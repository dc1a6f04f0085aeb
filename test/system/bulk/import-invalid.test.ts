import { expect, test } from 'vitest'
import description from '../../../generated/openapi.json' with { type: 'json' }
import { openAt } from '../../helpers/places/place.ts'
import { createSqlitePlace } from '../../helpers/places/sqlite-place.ts'
import { startTestService } from '../../helpers/service.ts'
import { allNames, readText, runImport, writeInput } from './files.ts'

const { PetFields, PetStatus } = description.components.schemas

const rejected = [
  '{"name":"","categoryId":7}',
  '{"categoryId":"7","status":"gone","colour":"red"}',
  '{"name":"Rex","categoryId":7.5}',
  '{"name":"Rex","categoryId":9007199254740993}',
  '{"name":"Rex","name":"Mia","categoryId":7}',
  '{"name":"\\ud800","categoryId":7}',
  `{"name":"${'x'.repeat(PetFields.properties.name.maxLength + 1)}","categoryId":7}`,
  '[]',
  '{"name":',
]

test('an invalid record of NDJSON has the error message that the service sends for it', async () => {
  const { send, apiKey, place } = await startTestService()
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const expected: string[] = []
  for (const [index, body] of rejected.entries()) {
    const response = await send('/v1/pets', { method: 'POST', headers, body })
    expect(response.status).toBe(400)
    const { details }: { details: { path: string; message: string }[] } = await response.json()
    const reasons = details.map(({ path, message }) => {
      const field = path.replace(/^\/body\/?/, '')
      return field === '' ? message : `${field} ${message}`
    })
    expected.push(`Line ${index + 1}: ${reasons.join('; ')}`)
  }
  const { status, output, complaint } = await runImport(
    place,
    writeInput('bad.ndjson', rejected.join('\n')),
  )
  expect({ status, output }).toEqual({ status: 1, output: '' })
  const lines = complaint.trimEnd().split('\n')
  expect(lines.slice(0, -1)).toEqual(expected)
  expect(lines.at(-1)).toMatch(/^Nothing was added: 9 of 9 records of .* break the contract\. /)
})

const badTable = Buffer.concat([
  Buffer.from('name,categoryId,status\n"two\nlines",1,\n,2,\nMia,0x3,gone\nTom,4\nZoë,5,sold,\n'),
  Buffer.from([0xff, ...Buffer.from(',6,\n')]),
  Buffer.from('Rex,7,sold'),
])
const faults = [
  'Line 4: name must have at least 1 character',
  `Line 5: categoryId must be an integer; status must be one of ${PetStatus.enum.join(', ')}`,
  'Line 6: has 2 fields, where the first line has 3',
  'Line 7: has 4 fields, where the first line has 3',
  'Line 8: name is not UTF-8',
]

test('every invalid record of a CSV file is reported with its line, and nothing is added', async () => {
  const place = await createSqlitePlace()
  const { status, complaint } = await runImport(place, writeInput('bad.csv', badTable))
  expect(status).toBe(1)
  expect(complaint.trimEnd().split('\n').slice(0, -1)).toEqual(faults)
  expect(await allNames(await openAt(place))).toEqual([])
})

test('--skip-invalid leaves invalid records out, and --errors lists them in a file', async () => {
  const place = await createSqlitePlace()
  const file = writeInput('bad.csv', badTable)
  const list = `${file}.faults`
  const ended = await runImport(place, file, '--skip-invalid', '--errors', list)
  const output = `2 animals of ${file} are in, without 5 records that break the contract.\n`
  expect(ended).toMatchObject({ status: 0, output, complaint: '' })
  expect(readText(list).trimEnd().split('\n')).toEqual(faults)
  expect(await allNames(await openAt(place))).toEqual(['two\nlines', 'Rex'])
})

test('--errors on a full disk is one line, and nothing is added', async () => {
  const place = await createSqlitePlace()
  for (const count of [1, 20_000]) {
    const lines = ['{"name":"Rex","categoryId":7}', ...Array(count).fill('{"categoryId":7}')]
    const file = writeInput('bad.ndjson', lines.join('\n'))
    const ended = await runImport(place, file, '--skip-invalid', '--errors', '/dev/full')
    expect(ended, String(count)).toMatchObject({ status: 1, output: '' })
    expect(ended.complaint).toMatch(/^Cannot write \/dev\/full: .*\bno space left\b.*\n$/)
  }
  expect(await allNames(await openAt(place))).toEqual([])
})

test('a line or a record that is too long is reported with its line', async () => {
  const place = await createSqlitePlace()
  const long = 'x'.repeat(3_000_000)
  const lines = writeInput('long.ndjson', `{"name":"${long}","categoryId":1}\n{"name":1}`)
  expect((await runImport(place, lines)).complaint).toMatch(
    /^Line 1: The body is larger than \d+ bytes\.\nLine 2: /,
  )
  const rows = writeInput('long.csv', `name,categoryId\nRex,1\n"${long},1\n`)
  expect((await runImport(place, rows)).complaint).toMatch(
    /^Line 3 cannot be read: the record is too long; a quote may be open\. .*\n$/,
  )
})

const broken: readonly (readonly [text: string, complaint: RegExp])[] = [
  ['name,categoryId\nRex,1\na"b,2', /^Line 3 cannot be read: a field with a quote in it must/],
  ['name,categoryId\n"a"b,2', /^Line 2 cannot be read: after a closing quote there must be/],
  ['name,categoryId\nRex,1\n"a,2', /^Line 3 cannot be read: a quote that is opened is never/],
  ['name\nRex', /^Line 1 must name the columns, .*: categoryId is missing\./],
  ['name,categoryId,name\nRex,1,2', /: "name" is there twice\./],
  ['name,categoryId,colour\nRex,1,red', /: "colour" is not a column\./],
  ['id,name,categoryId\n1,Rex,1', /: the service itself gives id\. .* add --new-ids\./],
]

test.for(broken)('the CSV file %j is rejected', async ([text, complaint]) => {
  const place = await createSqlitePlace()
  const ended = await runImport(place, writeInput('wrong.csv', text), '--skip-invalid')
  expect(ended).toMatchObject({ status: 1, output: '' })
  expect(ended.complaint).toMatch(complaint)
  expect(ended.complaint.trimEnd()).not.toContain('\n')
  expect(await allNames(await openAt(place))).toEqual([])
})
