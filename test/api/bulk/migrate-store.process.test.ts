import { expect, test } from 'vitest'
import { engines } from '../../helpers/databases/engines.ts'
import { expectSuccess } from '../../helpers/npm-script.ts'
import { allPets, manyNames, runOwn, writeTable } from './files.ts'

const directions = engines.map((from, index) => ({ from, to: engines[1 - index] ?? from }))

test.for(directions)(
  'migrate-store from $from.name to $to.name keeps every pet, and which files were imported',
  async ({ from, to }) => {
    const [source, target] = [await from.createTestDatabase(), await to.createTestDatabase()]
    const file = writeTable(manyNames(2_500).map((name) => `"${name}, ""🦊"""`))
    await expectSuccess(runOwn(source, 'import', file))
    const exported = await expectSuccess(runOwn(source, 'export'))

    const copying = runOwn(source, 'migrate-store', '--from', source.url, '--to', target.url)
    expect(await expectSuccess(copying)).toMatch(/^pets: 2,500 rows\n.*^imports: 1 row\n/ms)
    expect(await allPets(target)).toEqual(await allPets(source))
    expect(await expectSuccess(runOwn(target, 'export'))).toBe(exported)
    const again = await expectSuccess(runOwn(target, 'import', file))
    expect(again).toMatch(/ was imported already, /)
  },
)
