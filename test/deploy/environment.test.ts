import { describe, expect, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { startTestService } from '../support/service.ts'
import { variables } from '../support/variables.ts'
import { compose, objects, readDeployFile, readEnvFile } from './support/deployment.ts'
import { dockerfileText, imageEnvironment } from './support/dockerfile.ts'

const secret = objects.find(({ kind }) => kind === 'Secret')
const places = {
  'the image': imageEnvironment,
  'compose.yaml': compose.services['animal-store']?.environment ?? {},
  'animal-store.env': readEnvFile('kubernetes/animal-store.env'),
  'secret.example.yaml': new Map(Object.entries(secret ?? {})).get('stringData') ?? {},
}

describe.for(Object.entries(places))('%s', ([, environment]) => {
  test('sets variables that the service reads, to what it accepts', () => {
    const names = Object.keys(environment)
    expect(names.length).toBeGreaterThan(1)
    expect(names.filter((name) => !variables.includes(name))).toEqual([])
    expect(() => readConfig(environment)).not.toThrow()
  })
})

test('every path that is asked for health is served', async () => {
  const texts = [
    dockerfileText,
    ...['haproxy.cfg', 'kubernetes/deployment.yaml'].map(readDeployFile),
  ]
  const asked = texts.map((text) => [...text.matchAll(/(?:uri |path: |9464\})(\/\w+)/g)])
  expect(asked.map((found) => found.length)).toEqual([1, 2, 3])
  const { origin } = await startTestService()
  for (const path of new Set(asked.flat().map(([, path]) => path))) {
    expect((await fetch(`${origin}${path}`)).status).toBe(200)
  }
})
