import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { readConfig } from '../../server/config.ts'
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
