import { access, appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeCopy } from '../edits/support/project-copy.ts'
import { build, createBuildCopy } from './support/package.ts'

async function createCopy(): Promise<string> {
  const copy = await createBuildCopy()
  onTestFinished(() => removeCopy(copy))
  return copy
}

async function readDist(copy: string): Promise<Record<string, string>> {
  const folder = join(copy, 'client/dist')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const texts = paths.map(async (path) => [path.slice(folder.length), await readFile(path, 'utf8')])
  return Object.fromEntries(await Promise.all(texts))
}

test('two builds in two places are the same to the byte', async () => {
  const [one, other] = [await createCopy(), await createCopy()]
  await Promise.all([build(one), build(other)])
  expect(await readDist(one)).toEqual(await readDist(other))
})

test('a build says what it made, and leaves nothing of an earlier one', async () => {
  const copy = await createCopy()
  await build(copy)
  const first = await readDist(copy)
  await writeFile(join(copy, 'client/dist/left-over.js'), '')
  expect(await build(copy)).toMatch(
    /^built client\/dist: \d+ files; an application grows by \d+ bytes for createAnimalStore, .+, minified and gzipped \(.+ s\)\n$/,
  )
  expect(await readDist(copy)).toEqual(first)
  const made = (await readdir(join(copy, 'client'))).filter((name) => name.startsWith('dist'))
  expect(made).toEqual(['dist'])
})

test('a build that fails says why, and leaves what was built before', async () => {
  const copy = await createCopy()
  await build(copy)
  const before = await readDist(copy)
  await appendFile(join(copy, 'client/window.ts'), "export const wrong: number = 'text'\n")
  await expect(build(copy)).rejects.toThrow(/client\/window\.ts\(\d+,14\): error TS2322/)
  expect(await readDist(copy)).toEqual(before)
})

test('an import of what is no dependency fails the build', async () => {
  const copy = await createCopy()
  const stray = "import { parse } from 'yaml'\nexport const parsed: unknown = parse('1')\n"
  await appendFile(join(copy, 'client/index.ts'), stray)
  await expect(build(copy)).rejects.toThrow(
    'index.js imports yaml, which is no dependency of the package',
  )
  await expect(access(join(copy, 'client/dist'))).rejects.toThrow('ENOENT')
})

test('an argument is refused', async () => {
  const copy = await createCopy()
  await expect(build(copy, '--watch')).rejects.toThrow('usage: npm run build, without arguments')
})
