import { readFile } from 'node:fs/promises'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { expect, test } from 'vitest'
import { packClient } from './support/package.ts'

test('publint has nothing to say', async () => {
  const { buffer } = new Uint8Array(await readFile(await packClient()))
  const { messages } = await publint({ pack: { tarball: buffer }, strict: true })
  expect(messages).toEqual([])
})

test('@arethetypeswrong/core finds nothing wrong with a package that is modules alone', async () => {
  const tarball = createPackageFromTarballData(await readFile(await packClient()))
  const analysis = await checkPackage(tarball)
  const problems = 'problems' in analysis ? analysis.problems : []
  const found = problems.map((problem) => {
    const { kind, entrypoint, resolutionKind } = { entrypoint: '', resolutionKind: '', ...problem }
    return `${kind} ${entrypoint} ${resolutionKind}`
  })
  expect(analysis.types).toEqual({ kind: 'included' })
  // All that it notes: to `require` it gives a module, and who reads no `exports` finds nothing.
  expect(found.sort()).toEqual([
    'CJSResolvesToESM . node16-cjs',
    'CJSResolvesToESM ./testing node16-cjs',
    'UntypedResolution . node10',
    'UntypedResolution ./testing node10',
  ])
})
