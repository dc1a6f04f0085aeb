import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KeptResults } from '../../../server/start-up/kept-results.ts'
import { decidingFiles } from '../../../server/start-up/own-responses-check.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

test('the results of checks are kept in a folder of their own', () => {
  const folder = join(createTemporaryFolder(), 'results')
  const results = new KeptResults(folder)
  expect(results.find('a')).toBe(undefined)
  results.keep('a', [])
  results.keep('b', ['first line', 'second line'])
  expect(readdirSync(folder)).toEqual(['a', 'b'])
  expect([results.find('a'), results.find('b')]).toEqual([[], ['first line', 'second line']])
})

test('of more results than the limit, the newer half is kept', () => {
  const folder = createTemporaryFolder()
  const results = new KeptResults(folder, 5)
  for (const [age, digest] of ['f', 'e', 'd', 'c', 'b'].entries()) {
    results.keep(digest, [])
    utimesSync(join(folder, digest), age, age)
  }
  expect(readdirSync(folder)).toHaveLength(5)
  results.keep('a', [])
  expect(readdirSync(folder)).toEqual(['a', 'b', 'c'])
})

test('a folder that cannot be written keeps nothing, without an error', () => {
  // Nothing can be written below a file.
  const results = new KeptResults(join(import.meta.filename, 'results'))
  results.keep('a', [])
  expect(results.find('a')).toBe(undefined)
})

/** Code whose results are in the digest, and code that is not asked whether a response is allowed. */
const notDeciding = [
  // The samples are in the digest as they are, and so is what they are made of.
  'start-up/own-responses.ts',
  // Before the check, it rejects what cannot be served.
  'start-up/servable.ts',
  'process/operator-error.ts',
]

const server = new URL('../../../server/', import.meta.url)
const checkFile = new URL('start-up/own-responses-check.ts', server)
const ownImport = /^(?:import|export)\b(?! type)[^;]*? from '(\.[^']+)'$/gm

/** Returns the files that a file of the service imports, and those that these import, but for their types. */
function importsOf(file: URL, found = new Set<string>()): ReadonlySet<string> {
  const name = file.href.slice(server.href.length)
  if (found.has(name) || notDeciding.includes(name)) {
    return found
  }
  found.add(name)
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(ownImport)) {
    importsOf(new URL(specifier, file), found)
  }
  return found
}

test('a kept result is one of the same code: its digest has every file that decides', () => {
  const imported = [...importsOf(checkFile)]
  const folders = decidingFiles.folders.map((folder) => new URL(folder, checkFile).href)
  const isCovered = (name: string) => folders.includes(new URL('.', new URL(name, server)).href)
  expect(imported.length).toBeGreaterThan(30)
  expect(imported.filter((name) => !isCovered(name))).toEqual([])
})
