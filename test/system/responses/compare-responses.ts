/**
 * Sends the recorded requests to the service and compares its responses with the recorded ones.
 *
 *   npm run compare-responses                 this checkout against the record
 *   npm run compare-responses -- --with DIR   this checkout against the service in another checkout
 *   npm run compare-responses -- --record     writes the responses of this checkout to the record
 *
 * Exits with 1 when a response differs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { project } from '../../helpers/program.ts'
import { type Section, sendSection } from './sections.ts'

const file = new URL('responses.ndjson.gz', import.meta.url)
const shown = 20

const { values } = parseArgs({
  options: { with: { type: 'string' }, record: { type: 'boolean', default: false } },
})
const sections = readRecord()
let different = 0
for (const section of sections) {
  const actual = await sendSection(project, section)
  const expected =
    values.with === undefined
      ? section.requests.map(({ response }) => response)
      : await sendSection(resolve(values.with), section)
  for (const [index, recorded] of section.requests.entries()) {
    const [want = 'no response', got = 'none'] = [expected[index], actual[index]]
    recorded.response = got
    if (want === got || values.record) continue
    different += 1
    if (different <= shown) print(section.name, recorded.request, want, got)
  }
  console.log(`${section.name}: ${section.requests.length} requests`)
}
if (values.record) writeRecord(sections)
else if (different > 0) {
  console.error(`${different} responses differ; the first ${Math.min(shown, different)} are above.`)
  process.exitCode = 1
} else console.log('All responses are the same.')

function print(section: string, request: string, want: string, got: string): void {
  const excerpt = (text: string) => JSON.stringify(text).slice(0, 600)
  console.error(`${section}: ${excerpt(request)}\n  expected ${excerpt(want)}`)
  console.error(`  received ${excerpt(got)}\n`)
}

// A line for each section, followed by a line for each of its requests.
function readRecord(): Section[] {
  const sections: Section[] = []
  for (const line of gunzipSync(readFileSync(file)).toString().split('\n')) {
    if (line === '') continue
    const read: object = JSON.parse(line)
    if ('name' in read) sections.push({ ...(read as Section), requests: [] })
    else sections.at(-1)?.requests.push(read as Section['requests'][number])
  }
  return sections
}

function writeRecord(sections: readonly Section[]): void {
  const lines = sections.flatMap(({ requests, ...section }) => [section, ...requests])
  writeFileSync(
    file,
    gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { level: 9 }),
  )
}
