import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { settings } from '../../generated/operations.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { readConfig } from '../../server/config.ts'
import { pagePrefixOf } from '../../server/description/platform-paths.ts'
import { project } from '../helpers/program.ts'
import { variables } from '../helpers/variables.ts'

const { name } = packageJson

const apiCode = globSync('server/api/**/*.ts', { cwd: project })
  .map((file) => readFileSync(join(project, file), 'utf8'))
  .join('\n')

function readValues(file: string): string {
  return readFileSync(join(project, 'deploy/values', file), 'utf8')
}

test('Prometheus gives up, and what the balancer exports, the label api of the service', () => {
  const [instances, balancer] = parse(readValues('prometheus.yaml')).scrape_configs
  expect(instances.relabel_configs).toContainEqual({ target_label: 'api', replacement: name })
  expect(balancer.static_configs[0].labels).toMatchObject({ api: name })
})

test("deploy/values/compose.yaml names the project and includes the platform's file", () => {
  const { name: projectName, include } = parse(readValues('compose.yaml'))
  expect(projectName).toMatch(/^[a-z0-9][a-z0-9_-]*$/)
  expect(include).toContain('../compose.yaml')
})

test('deploy/values/kubernetes/kustomization.yaml replaces the image api, and has a namespace', () => {
  const { namespace, resources, images } = parse(readValues('kubernetes/kustomization.yaml'))
  expect(namespace).toMatch(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/)
  expect(resources).toContain('../../kubernetes')
  expect(images).toContainEqual(expect.objectContaining({ name: 'api' }))
})

test('health checks of the balancer and of pods are below platformPaths of spec/service.yaml', () => {
  const prefix = pagePrefixOf(settings)
  const hasFile = existsSync(join(project, 'deploy/values/balancer.env'))
  const { PLATFORM_PATHS = '' } = hasFile ? parseEnv(readValues('balancer.env')) : {}
  expect(PLATFORM_PATHS).toBe(prefix)

  const { patches = [] }: { patches?: readonly { readonly patch?: string }[] } = parse(
    readValues('kubernetes/kustomization.yaml'),
  )
  const texts = patches.map(({ patch = '' }) => patch).join('\n')
  const patched = Array.from(texts.matchAll(/value: (\/\S*z)\b/g), ([, path]) => path)
  const expected = prefix === '' ? [] : [`${prefix}/livez`, `${prefix}/readyz`]
  expect(patched).toEqual(expected)
})

test.for(['compose.env', 'kubernetes/api.env'])(
  'deploy/values/%s has variables that the service or the API reads, with values that the service accepts',
  (file) => {
    const text = readValues(file)
    const environment = parseEnv(text)
    const isRead = (variable: string) => variables.includes(variable) || apiCode.includes(variable)
    expect(Object.keys(environment).filter((variable) => !isRead(variable))).toEqual([])
    expect(() => readConfig(environment)).not.toThrow()
    // For kubectl, all after the `=` is the value, with quotes and comments.
    expect(text).not.toMatch(/^(?!#|[A-Z_]+=[^"'#]*$)./m)
  },
)
