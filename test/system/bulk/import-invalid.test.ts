import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import description from '../../../generated/openapi.json' with { type: 'json' }
import { openAt } from '../../helpers/places/place.ts'
import { createSqlitePlace } from '../../helpers/places/sqlite-place.ts'
import { startTestService } from '../../helpers/service.ts'
import { allNames, runImport, writeInput } from './files.ts'

const { PetStatus } = description.components.schemas

const rejected = [
  '{"name":"","categoryId":7}',
  '{"categoryId":"7","status":"gone","colour":"red"}',
  '{"name":"Rex","categoryId":9007199254740993}',
  '{"name":"Rex","name":"Mia","categoryId":7}',
  '[]',
  '{"name":',
]

test('an invalid record of NDJSON has the error message that the service sends for it', async () => {
  const { send, place } = await startTestService()
  const expected: string[] = []
  for (const [index, json] of rejected.entries()) {
    const response = await send('/v1/pets', { json })
    expect(response.status).toBe(400)
    const { details }: { details: { path: string; message: string }[] } = await response.json()
    const reasons = details.map(({ path, message }) => {
      const field = path.replace(/^\/body\/?/, '')
      return field === '' ? message : `${field} ${message}`
    })
    expected.push(`Line ${index + 1}: ${reasons.join('; ')}`)
  }
  const file = writeInput('bad.ndjson', rejected.join('\n'))
  const { status, output, complaint } = await runImport(place, file)
  expect({ status, output }).toEqual({ status: 1, output: '' })
  const lines = complaint.trimEnd().split('\n')
  expect(lines.slice(0, -1)).toEqual(expected)
  expect(lines.at(-1)).toMatch(/^Nothing was added: 6 of 6 records of .* break the contract\. /)
})

const badTable = 'name,categoryId,status\n"two\nlines",1,\n,2,\nMia,0x3,gone\nRex,7,sold'
const errors = [
  expect.stringMatching(/^Line 4: name is [a-z]+$/),
  `Line 5: categoryId must be an integer; status must be one of ${PetStatus.enum.join(', ')}`,
]

test('every invalid record of a CSV file is reported with its line; --skip-invalid adds the others, and --errors lists them', async () => {
  const place = await createSqlitePlace()
  const store = await openAt(place)
  const file = writeInput('bad.csv', badTable)
  const { status, complaint } = await runImport(place, file)
  expect(status).toBe(1)
  expect(complaint.trimEnd().split('\n').slice(0, -1)).toEqual(errors)
  expect(await allNames(store)).toEqual([])
  const list = `${file}.errors`
  const ended = await runImport(place, file, '--skip-invalid', '--errors', list)
  const output = `2 animals of ${file} are in, without 2 records that break the contract.\n`
  expect(ended).toMatchObject({ status: 0, output, complaint: '' })
  expect(readFileSync(list, 'utf8').trimEnd().split('\n')).toEqual(errors)
  expect(await allNames(store)).toEqual(['two\nlines', 'Rex'])
})

const long = 'x'.repeat(3_000_000)

/** Files that are not imported, with the line that says why. */
const broken: readonly (readonly [text: string | Buffer, complaint: RegExp])[] = [
  ['name,categoryId\nRex,1\na"b,2', /^Not CSV \(RFC 4180\): .* at line 3, /],
  ['name,categoryId\n"a"b,2', /^Not CSV .* at line 2 /],
  ['name,categoryId\nRex,1\n"a,2', /^Not CSV .* at line 3\. Fix the file/],
  [`name,categoryId\nRex,1\n"${long},1\n`, /^Not CSV .*: record exceed .* at line 3\./],
  [Buffer.from('name,categoryId\nRex,1\nZo\xeb,2', 'latin1'), /^Line 3 is not UTF-8\. Save /],
  ['name,categoryId\nRex,1\nTom', /^Not CSV .*: columns length is 2, got 1 on line 3\./],
  ['name,categoryId\nTom,4,', /^Not CSV .*: columns length is 2, got 3 on line 2\./],
  ['name\nRex', /^Line 1 must name the columns, .*: categoryId is missing\./],
  ['name,categoryId,name\nRex,1,2', /: "name" is there twice\./],
  ['name,categoryId,colour\nRex,1,red', /: "colour" is not a column\./],
  ['id,name,categoryId\n1,Rex,1', /: the service itself gives id\. .* add --new-ids\./],
  ['', /holds no animals\. Nothing was added\.$/],
  ['name,categoryId\n', /holds no animals\. Nothing was added\.$/],
]

test('a file that cannot be imported is one line with status 1, and nothing is added', async () => {
  const place = await createSqlitePlace()
  const good = writeInput('a.csv', 'name,categoryId\nRex,1\n')
  const bad = writeInput('a.csv', 'name,categoryId\nRex,1\nMia,x\n')
  const failures: readonly (readonly [args: readonly string[], complaint: RegExp])[] = [
    ...broken.map(([text, complaint]) => {
      return [[writeInput('a.csv', text), '--skip-invalid'], complaint] as const
    }),
    [['/nowhere.csv'], /^Cannot read \/nowhere\.csv: .*no such file or directory.*\.$/],
    [['/', '--format', 'csv'], /^Cannot read \/: .*directory.*\.$/],
    [[good, '--errors', '/nowhere/x'], /^Cannot write \/nowhere\/x: /],
    [
      [bad, '--skip-invalid', '--errors', '/dev/full'],
      /^Cannot write \/dev\/full: .*no space left/,
    ],
  ]
  for (const [args, complaint] of failures) {
    const ended = await runImport(place, ...args)
    expect(ended, args.join(' ')).toMatchObject({ status: 1, output: '' })
    expect(ended.complaint).toMatch(/^[^\n]+\n$/)
    expect(ended.complaint.trimEnd()).toMatch(complaint)
  }
  expect(await allNames(await openAt(place))).toEqual([])
})

test('a line of NDJSON that is too long is reported with its line', async () => {
  const file = writeInput('long.ndjson', `{"name":"${long}","categoryId":1}\n{"name":1}`)
  const { complaint } = await runImport(await createSqlitePlace(), file)
  expect(complaint).toMatch(/^Line 1: The body is larger than \d+ bytes\.\nLine 2: /)
})
