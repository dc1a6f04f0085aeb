import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { bundleDescription, openDescription } from '../../../scripts/pipeline/bundle.ts'
import { rejectHiddenOperations } from '../../../scripts/pipeline/hidden-operations.ts'
import { findProblems } from '../../../scripts/pipeline/lint.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import { pageSegments } from '../../../server/description/platform-paths.ts'
import { createDocsPages } from '../../../server/docs/docs.ts'
import { createHealthPages, Readiness } from '../../../server/ops/health.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { writeSpec } from './support/workspace.ts'

const responses = { 200: { description: 'All.' } }

/** Returns a description with GET on some paths, a line for each key. */
function describePaths(paths: readonly string[], servers: readonly object[] = []): string {
  const items = paths.map((path, index) => [
    path,
    { get: { operationId: `get${index}`, responses } },
  ])
  const root = { openapi: '3.1.0', info: { title: 'A', version: '1.0.0' } }
  return stringify({ ...root, servers, paths: Object.fromEntries(items) })
}

/** Returns the paths that are reported to be those of pages of the service, with their lines. */
async function findReported(text: string, platformPaths?: string): Promise<readonly string[]> {
  const spec = await writeSpec(text)
  const model = readBundled(await bundleDescription(await openDescription(spec)))
  const settings = platformPaths === undefined ? {} : { platformPaths }
  try {
    rejectHiddenOperations(spec, model, settings)
    return []
  } catch (error) {
    const lines = text.split('\n')
    return String(error)
      .split('\n')
      .map((line) => {
        const [, number = ''] =
          /yaml:(\d+):\d+ platform-paths GET .*; move .* platformPaths: \/_platform\.$/.exec(
            line,
          ) ?? []
        return (lines[Number(number) - 2] ?? line).trim().replace(/:$/, '')
      })
  }
}

test('operations at paths of the pages of the service are reported, with what to write', async () => {
  const hidden = [
    '/docs',
    '/docs/{name}',
    '/{name}',
    '/{a}/{b}',
    '/open{rest}',
    '/livez',
    '/Livez',
    '/llms.txt',
    '/mcp',
  ]
  const free = ['/', '/documents', '/a/docs', '/livez2', '/{name}.json5']
  expect(await findReported(describePaths([...hidden, ...free]))).toEqual(hidden)
  const belowBasePath = describePaths(hidden, [{ url: 'https://a.example/v1' }])
  expect(await findReported(belowBasePath)).toEqual([])
  expect(await findReported(describePaths(['/v1'], [{ url: '/docs' }]))).toEqual(['/v1'])
})

test('platformPaths lets the API have these paths, but for those of the pages below it', async () => {
  const paths = ['/docs', '/{name}', '/{a}/{b}', '/_platform/livez', '/_platform/{name}']
  const reported = await findReported(describePaths(paths), '/_platform')
  expect(reported).toEqual(['/_platform/livez', '/_platform/{name}'])
})

test('the pages of the service have the paths that operations are compared with', () => {
  const readiness = new Readiness({ ping: async () => undefined }, new AbortController().signal)
  const pages = {
    ...createDocsPages(fixtureApi, fixtureApi.description, { hasTools: true }),
    ...createHealthPages(readiness, ''),
  }
  const segments = [...Object.keys(pages), '/mcp'].map((path) => path.split('/')[1])
  expect(new Set(segments)).toEqual(new Set(['', ...pageSegments]))
})

test('servers that the service does not follow are warnings: another base path, variables in a path', async () => {
  const own = { servers: [{ url: 'https://intake.example/v2' }] }
  const origins = [{ url: '{siteUrl}/v1' }, { url: '{scheme}://{host}/v1' }]
  const text = stringify({
    ...{ openapi: '3.1.0', info: { title: 'A', version: '1.0.0' } },
    servers: [
      { url: '/v1' },
      { url: 'https://{region}.example/v1' },
      { url: '/{stage}' },
      ...origins,
    ],
    paths: { '/a': { ...own, get: { operationId: 'getA', ...own, responses } } },
  })
  const findings = await findProblems(await openDescription(await writeSpec(text)), 'served')
  expect(findings.filter(({ isError }) => isError)).toEqual([])
  const rules = findings.map(({ line }) => / (service\/\S+) /.exec(line)?.[1])
  expect(rules.filter((rule) => rule === 'service/one-base-path')).toHaveLength(3)
  expect(rules.filter((rule) => rule === 'service/server-path')).toHaveLength(1)
})
