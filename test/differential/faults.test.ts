import { expect, test } from 'vitest'
import description from '../../generated/openapi.json' with { type: 'json' }
import { compile } from './support/compile.ts'
import { drive } from './support/drive.ts'
import { everyRequest } from './support/everything/requests.ts'
import { readExtent } from './support/extent.ts'

const { seed } = readExtent(process.env)

/** What is wrong with the compiled checks, in which words, and which operation shows it. */
const faults = [
  ['a limit is one too high', 'listPets', 'v <= 100\n', 'v <= 101\n'],
  ['a limit is missing', 'listPets', 'v >= 1 && v <= 100\n', 'v <= 100\n'],
  ['a default is missing', 'listPets', 'fill(v, "limit", () => (20)) && ', ''],
  ['a default is another one', 'listPets', '() => (20)', '() => (21)'],
  ['a pattern is missing', 'listPets', / && pattern\d+\.test\(v\)/, ''],
  ['there is more to choose from', 'listPets', 'v === "sold"', 'true'],
  ['a text may be one longer', 'createPet', 'lengthOf(v) <= 1000', 'lengthOf(v) <= 1001'],
  ['other fields are taken', 'createPet', '!names.has(name)) return false', 'false) return false'],
  ['the body is not looked at', 'createPet', / && fits\d+\(v\.body\)$/m, ''],
  ['an id may be imprecise', 'getPet', / && v <= 9007199254740991.*/, ''],
  ['a text may be one shorter', 'postStrings', 'lengthOf(v) >= 3', 'lengthOf(v) >= 2'],
  ['lengths are in code units', 'postStrings', 'lengthOf(v) >= 5', 'v.length >= 5'],
  ['the end of a pattern is missing', 'postCode', '-\\\\d+$"', '-\\\\d+"'],
  [
    'a required field may be missing',
    'postClosedMore',
    'v.count !== undefined && fits',
    'true || fits',
  ],
  ['a limit may be reached', 'postBetween', 'v < 1.5', 'v <= 1.5'],
  ['a list may repeat itself', 'postUnique', 'v.length < 2', 'v.length < 3'],
  ['a field for answers is taken', 'postReadOnly', ' && v.id === undefined', ''],
  ['what was filled in stays', 'postDefaultBeforeDoubt', 'if (!isAccepted) for', 'if (false) for'],
] as const

test.for(faults)('%s: the drive finds it', async ([, name, from, to]) => {
  const root = name.startsWith('post') ? everyRequest : description
  const served = await compile(root, (text) => {
    const changed = text.replace(from, to)
    expect(changed).not.toBe(text)
    return changed
  })
  const { findings } = await drive(served, name, { runs: 5_000, seed })
  expect(findings).not.toEqual([])
})
