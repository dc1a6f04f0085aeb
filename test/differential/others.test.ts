import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleDescription, openDescription } from '../../scripts/pipeline/bundle.ts'
import { description as workshop } from '../support/workshop-description.ts'
import { withBadges } from './support/badges.ts'
import { compile } from './support/compile.ts'
import { drive, printTallies, type Tally } from './support/drive.ts'
import { everyRequest } from './support/everything/requests.ts'
import { readExtent, shorter } from './support/extent.ts'

const extent = readExtent(process.env)
const fixture = join(import.meta.dirname, '../pipeline/fixture/workshop.yaml')

const others = [
  { name: 'a workshop', divisor: 100, read: async () => workshop },
  {
    name: 'a workshop that uses much of OpenAPI',
    divisor: 100,
    read: async () => withBadges(await bundleDescription(await openDescription(fixture))),
  },
  { name: 'everything that is compiled or in doubt', divisor: 250, read: async () => everyRequest },
]

test.for(others)(
  'the compiled checks of $name say what express-openapi-validator says',
  { timeout: Math.max(60_000, extent.runs * 10) },
  async ({ read, divisor }) => {
    const part = shorter(extent, divisor)
    const served = await compile(await read())
    const tallies: Tally[] = []
    for (const name of Object.keys(served.operations)) {
      tallies.push(await drive(served, name, part))
    }
    printTallies(tallies, part)
    expect(tallies.flatMap(({ findings }) => findings)).toEqual([])
    const total = (count: (tally: Tally) => number) =>
      tallies.reduce((sum, tally) => sum + count(tally), 0)
    expect(total(({ fast }) => fast) / total(({ fast, slow }) => fast + slow)).toBeGreaterThan(0.1)
  },
)
