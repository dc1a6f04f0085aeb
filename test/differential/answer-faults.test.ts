import { expect, test } from 'vitest'
import description from '../../generated/openapi.json' with { type: 'json' }
import { answerPlaces, createAnswerDrive } from './support/answer-drive.ts'
import { compile } from './support/compile.ts'
import { readExtent } from './support/extent.ts'

const { seed } = readExtent(process.env)

/** What is wrong with the compiled checks of answers, in which words, and which answer shows it. */
const faults = [
  ['a header may be missing', 200, 'owed: ["X-RateLimit-Limit",', 'owed: ['],
  ['other headers are taken', 200, /( && hasOnly\(v, names\d+\))(?=\n)/g, ''],
  ['a header is not looked at', 200, /fits\d+\(v\["X-RateLimit-Remaining"\]\)/g, 'true'],
  ['the body is not looked at', 200, / && fits\d+\(v\.body\)(?=\n)/g, ''],
  ['a page need be none', 200, / && haveAll\(v, fits\d+\)/g, ''],
  ['an error may have any code', 404, '=> v === "not_found"', '=> true'],
  ['an error may have the status of another', 401, 'v === 401', 'v === 400'],
  ['an answer is judged as another', 429, /429: \{ accepts: fits\d+/g, '429: { accepts: anything'],
] as const

test.for(faults)('%s: the drive finds it', async ([, status, from, to]) => {
  const served = await compile(description, (text) => {
    const changed = text.replace(from, to)
    expect(changed).not.toBe(text)
    return changed
  })
  // It ends with the first finding.
  const drive = createAnswerDrive(served, { runs: 200_000, seed })
  const [place] = answerPlaces(served).filter((one) => one.status === status)
  if (place === undefined) throw new Error(`Nothing is answered with ${status}.`)
  const { findings } = await drive(place)
  expect(findings).not.toEqual([])
})
