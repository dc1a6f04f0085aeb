import { readFileSync } from 'node:fs'
import { readBundled } from '/work/wt/responses/server/description/description-reader.ts'
import { createFindSample } from '/work/wt/responses/server/mock/samples.ts'
import { isJsonType } from '/work/wt/responses/server/description/media-types.ts'
const file = process.argv[2]!
const description = readBundled(JSON.parse(readFileSync(file, 'utf8')))
const find = createFindSample(description)
let ok = 0, failed = 0, noJson = 0, empty = 0
const t0 = performance.now()
for (const op of description.operations) {
  const success = op.responses.find((r) => /^2/.test(r.status)) ?? op.responses.find((r) => r.isSuccess)
  if (success === undefined) { noJson++; continue }
  if (success.content.length === 0) { empty++; continue }
  const media = success.content.find(({ name }) => isJsonType(name))
  if (media === undefined) { noJson++; continue }
  const t1 = performance.now()
  try {
    const s = find(op.name, media)
    ok++
    if (process.argv[3] === op.name) console.log(JSON.stringify(s.value, null, 1))
  } catch (error) {
    failed++
    console.log(op.name, String(error).slice(0, 200))
  }
  const d = performance.now() - t1
  if (d > 1000) console.log(op.name, 'took', Math.round(d))
}
console.log({ file, operations: description.operations.length, ok, failed, noJson, empty, ms: Math.round(performance.now() - t0) })
