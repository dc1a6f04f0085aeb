import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { convertDescription } from '../../../scripts/init/convert.ts'
import { houseRules } from '../../../scripts/init/project.ts'
import { lintConverted } from '../../../scripts/init/rejected.ts'
import type { JsonObject } from '../../../scripts/pipeline/description.ts'
import { projectPath } from '../../../scripts/pipeline/project.ts'
import { type Fragment, named, parts, rejected, schemas } from './conversions.ts'

const platform = parse(await readFile(projectPath('spec/openapi.yaml'), 'utf8'))

const convert = (openapi: string, fragment: Fragment) =>
  convertDescription({ openapi, info: { title: 'A', version: '1.0.0' }, ...fragment }, platform)

/** Returns what the linter finds in a description that must be changed. */
async function lint(description: JsonObject) {
  const problems = await lintConverted(description)
  return problems.filter(({ rule }) => !houseRules.has(rule))
}

test.for(Object.entries(schemas))('%s', async ([, [version, before, after]]) => {
  const { description, changes } = await convert(version, named(before))
  expect(description).toHaveProperty('components.schemas.A', after)
  expect(changes).not.toEqual([])
  expect(await lint(description)).toEqual([])
})

test.for(Object.entries(parts))('%s', async ([, [before, after]]) => {
  const { description, changes } = await convert('3.1.0', before)
  expect(description).toMatchObject(after)
  expect(changes).not.toEqual([])
  expect(await lint(description)).toEqual([])
})

test.for(Object.entries(rejected))('%s is rejected', async ([, [fragment, reason]]) => {
  await expect(convert('3.1.0', fragment)).rejects.toThrow(reason)
})

test('the same change in many places is listed once', async () => {
  const paths = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => [`/${name}`, { get: { responses: { 204: {} } } }]),
  )
  const { changes } = await convert('3.1.0', { paths })
  const what = 'operationId added, from the method and the path'
  expect(changes).toContainEqual({ where: 'GET /a and 3 other places', what })
})

test('a public description has nothing of the API that is here', async () => {
  const museum = parse(await readFile(join(import.meta.dirname, 'museum.yaml'), 'utf8'))
  const { description } = await convertDescription(museum, platform)
  expect(JSON.stringify(description['components'])).not.toMatch(/animal|\bpets?\b|category/i)
  expect(await lint(description)).toEqual([])
})
