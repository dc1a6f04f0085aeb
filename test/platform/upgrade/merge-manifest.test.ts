import { expect, test } from 'vitest'
import { mergeManifest } from '../../../scripts/platform/merge-manifest.ts'
import { ownerOf } from '../../../scripts/platform/ownership.ts'
import { listApiPackages, listPlatformPackages } from '../../../scripts/platform/packages.ts'

test('new packages of the platform are added, removed ones go, and one that both changed stays that of the project', () => {
  const base = { dependencies: { web: '5.0.0', sql: '8.0.0', former: '1.0.0' } }
  const ours = { dependencies: { web: '5.0.1', sql: '8.0.0', former: '1.0.0', own: '2.0.0' } }
  const theirs = { dependencies: { web: '6.0.0', sql: '8.1.0', later: '3.0.0' } }
  const { manifest, conflicts } = mergeManifest(base, ours, theirs, new Set())
  expect(manifest['dependencies']).toEqual({
    ...{ web: '5.0.1', sql: '8.1.0', own: '2.0.0', later: '3.0.0' },
  })
  expect(conflicts).toEqual([{ key: 'dependencies.web', ours: '5.0.1', theirs: '6.0.0' }])
})

test('a package that a project removed comes back once files of the platform import it', () => {
  const platform = {
    dependencies: { web: '5.0.0', sql: '8.0.0' },
    devDependencies: { fast: '5.0.0' },
  }
  const project = { dependencies: { web: '5.0.0' }, devDependencies: {} }
  const { manifest, conflicts } = mergeManifest(
    platform,
    project,
    platform,
    new Set(['web', 'fast']),
  )
  expect(manifest).toEqual({
    dependencies: { web: '5.0.0' },
    devDependencies: { fast: '5.0.0' },
  })
  expect(conflicts).toEqual([])
})

test('a package of the platform that a project has among other dependencies stays there alone', () => {
  const platform = { dependencies: {}, devDependencies: { fast: '5.0.0' } }
  const project = { dependencies: { fast: '5.0.0' }, devDependencies: {} }
  expect(mergeManifest(platform, project, platform, new Set(['fast'])).manifest).toEqual(project)
})

test('packages of the platform are those that its files import in a commit', async () => {
  const packages = await listPlatformPackages('HEAD', (path) => ownerOf(path) === 'platform')
  expect([...packages]).toEqual(
    expect.arrayContaining(['express', 'fastify', '@redocly/openapi-core']),
  )
  const ofApi = await listApiPackages()
  expect(ofApi.filter((name) => packages.has(name))).toEqual([])
})
