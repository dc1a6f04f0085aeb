import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { printApiHalf } from '../../../scripts/init/api-half.ts'
import { readGivenDescription } from '../../../scripts/init/given-description.ts'
import { writeSpec } from '../pipeline/support/workspace.ts'

const networkPolicy = 'network-policy.yaml'

/** Returns the files of the API half that `init` makes of a description with GET on some paths. */
async function printHalf(paths: readonly string[], schema: object = {}) {
  const content = { 'application/json': { schema } }
  const responses = { 200: { description: 'All.', content } }
  const items = paths.map((path, index) => [
    path,
    { get: { operationId: `get${index}`, responses } },
  ])
  const root = { openapi: '3.1.0', info: { title: 'Pages', version: '1.0.0' } }
  const spec = await writeSpec(stringify({ ...root, paths: Object.fromEntries(items) }))
  const description = await readGivenDescription(spec)
  const names = { name: 'page-shop', apiKeyPrefix: 'page' }
  const files = await printApiHalf({ ...names, description, platform: {} })
  return (path: string) => files.get(path)?.toString()
}

test('service.yaml of an API that exists ignores unknown query parameters', async () => {
  const read = await printHalf(['/pages'])
  expect(parse(read('spec/service.yaml') ?? '')).toEqual({
    requests: { unknownQueryParameters: 'ignore' },
  })
  expect(read('deploy/values/balancer.env')).toBeUndefined()
  const { patches } = parse(read('deploy/values/kubernetes/kustomization.yaml') ?? '')
  expect(patches).toEqual([{ target: { kind: 'NetworkPolicy', name: 'api' }, path: networkPolicy }])
})

test('service.yaml of an API with integers of 64 bits accepts large ones', async () => {
  const read = await printHalf(['/pages'], { type: 'integer', format: 'int64' })
  expect(parse(read('spec/service.yaml') ?? '')).toEqual({
    requests: { unknownQueryParameters: 'ignore', largeIntegers: 'accept' },
  })
})

test('where the API has a path of the pages of the service, these are below a prefix, health checks as well', async () => {
  const read = await printHalf(['/docs', '/pages'])
  expect(parse(read('spec/service.yaml') ?? '')).toMatchObject({ platformPaths: '/_platform' })
  expect(read('deploy/values/balancer.env')).toMatch(/^PLATFORM_PATHS=\/_platform$/m)
  const { patches } = parse(read('deploy/values/kubernetes/kustomization.yaml') ?? '')
  const operations: readonly object[] = parse(patches[1].patch)
  expect(operations).toMatchObject([
    { op: 'replace', path: expect.stringContaining('startupProbe'), value: '/_platform/livez' },
    { op: 'replace', path: expect.stringContaining('readinessProbe'), value: '/_platform/readyz' },
  ])
})
