import { afterAll, expect, test } from 'vitest'
import description from '../../generated/openapi.json' with { type: 'json' }
import { basePath, operations } from '../../generated/operations.ts'
import * as validators from '../../generated/validators.js'
import { drive, printTallies, type Tally } from './support/drive.ts'
import { readExtent } from './support/extent.ts'

const extent = readExtent(process.env)
const served = { description, operations, basePath, validators }
const tallies: Tally[] = []

afterAll(() => printTallies(tallies, extent))

test.for(Object.keys(operations))(
  'the compiled checks of %s say what express-openapi-validator says',
  { timeout: Math.max(60_000, extent.runs * 5) },
  async (name) => {
    const tally = await drive(served, name, extent)
    tallies.push(tally)
    expect(tally.findings).toEqual([])
    expect(tally.fast).toBeGreaterThan(tally.slow)
    expect(tally.plainFast).toBe(tally.plain)
  },
)
