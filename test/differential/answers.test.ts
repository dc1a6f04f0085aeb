import { expect, test } from 'vitest'
import description from '../../generated/openapi.json' with { type: 'json' }
import { basePath, operations } from '../../generated/operations.ts'
import * as validators from '../../generated/validators.js'
import { limitHeaders } from '../../server/contract/answer/service-headers.ts'
import { answerPlaces, createAnswerDrive } from './support/answer-drive.ts'
import { compile } from './support/compile.ts'
import { everyAnswer } from './support/everything/answers.ts'
import { type Extent, readExtent, shorter } from './support/extent.ts'
import type { Served } from './support/served.ts'

const extent = shorter(readExtent(process.env), 100)

async function driveAll(served: Served, part: Extent, waived: readonly string[] = []) {
  const drive = createAnswerDrive(served, part, waived)
  const findings: string[] = []
  let accepted = 0
  const places = answerPlaces(served)
  for (const place of places) {
    const tally = await drive(place)
    findings.push(...tally.findings)
    accepted += tally.accepted
  }
  const share = accepted / (places.length * part.runs)
  console.log(`answers: ${accepted} accepted of ${places.length} × ${part.runs}; seed ${part.seed}`)
  return { findings, share }
}

const waivers = [
  ['', []],
  [' while limits are off', limitHeaders],
] as const

test.for(waivers)(
  'no answer of ours is accepted%s in which express-openapi-validator finds a fault',
  { timeout: 600_000 },
  async ([, waived]) => {
    const ours = { description, operations, basePath, validators }
    const { findings, share } = await driveAll(ours, extent, waived)
    expect(findings).toEqual([])
    expect(share).toBeGreaterThan(0.1)
  },
)

test('nor is any of a description that answers with everything', async () => {
  const { findings, share } = await driveAll(await compile(everyAnswer), shorter(extent, 5))
  expect(findings).toEqual([])
  expect(share).toBeGreaterThan(0.1)
}, 600_000)
