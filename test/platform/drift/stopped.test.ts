import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProjectCopy, replaceIn, runServiceIn } from './support/project-copy.ts'

const generated = (name: string) => `generated/${name}`
const lose = (name: string) => (copy: string) => rm(join(copy, generated(name)))
const change = (name: string, find: string, other: string) => (copy: string) =>
  replaceIn(copy, generated(name), find, other)

test.for([
  [
    'a description that was changed by hand',
    change('openapi.json', '"openapi": "3.1', '"openapi":  "3.1'),
    /^\S+openapi\.json is not what was generated with the rest\./,
  ],
  [
    'a digest that is missing',
    lose('openapi.json.sha256'),
    /^There is no \S+openapi\.json\.sha256\./,
  ],
] as const)('%s: the service does not start', async ([, edit, complaint]) => {
  const copy = await createProjectCopy()
  await edit(copy)
  const ended = await runServiceIn(copy).ended
  expect(ended).toMatchObject({ status: 1, output: '' })
  expect(ended.complaint).toMatch(complaint)
  expect(ended.complaint).toMatch(/^.* Run: npm run generate\n$/)
})
