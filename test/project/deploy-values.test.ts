import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { project } from '../helpers/program.ts'

const { name } = packageJson

function readValues(file: string) {
  return parse(readFileSync(join(project, 'deploy/values', file), 'utf8'))
}

test('deploy/values names the API as package.json does', () => {
  expect(readValues('compose.yaml').name).toBe(name)

  const { namespace, images } = readValues('kubernetes/kustomization.yaml')
  const [image] = images
  expect(namespace).toBe(name)
  expect(image.name).toBe('api')
  expect(image.newName.split('/').at(-1)).toBe(name)
})

test('Prometheus gives up, and what the balancer exports, the label api of the service', () => {
  const [instances, balancer] = readValues('prometheus.yaml').scrape_configs
  expect(instances.relabel_configs).toEqual([{ target_label: 'api', replacement: name }])
  expect(balancer.static_configs[0].labels).toEqual({ api: name })
})
