import { beforeAll, describe, expect, test } from 'vitest'
import { startTestService } from '../support/service.ts'
import { runCommand } from './support/command.ts'
import { createConsumer, readModule } from './support/consumer.ts'
import { destination } from './support/destination.ts'
import { findNode } from './support/node-versions.ts'

const journey = await readModule('journey.ts')

const run = `
const { BASE_URL: baseUrl, API_KEY: apiKey } = process.env
// A warning, such as that of too many listeners, is a fault.
process.on('warning', (warning) => { throw warning })
const travel = async (client) => {
  const { journey } = await import('./journey.js')
  console.log(JSON.stringify([process.version, await journey(client, { baseUrl, apiKey })]))
}
`
const programs = {
  'import.mjs': `import * as client from 'animal-store-client'
    ${run} await travel(client)`,
  'dynamic-import.cjs': `${run} import('animal-store-client').then(travel)`,
  'require.cjs': `${run} void travel(require('animal-store-client'))`,
}

/** Runs a program of a project that has the package, against a service of its own. */
async function travel(node: string, program: keyof typeof programs): Promise<unknown> {
  const { baseUrl, apiKey } = await startTestService()
  const folder = await createConsumer({ 'journey.js': journey, [program]: programs[program] })
  const env = { BASE_URL: baseUrl, API_KEY: apiKey }
  return JSON.parse(await runCommand(node, ['--throw-deprecation', program], folder, env))
}

describe.each([20, 22, 24, 26])('on Node %i', (major) => {
  let node = ''
  beforeAll(async () => {
    node = await findNode(major)
  }, 180_000)

  test('a module imports the package and does all that it can', async () => {
    const version = expect.stringMatching(`^v${major}\\.`)
    expect(await travel(node, 'import.mjs')).toEqual([version, destination])
  })

  test('a CommonJS module imports it when it runs', async () => {
    expect(await travel(node, 'dynamic-import.cjs')).toMatchObject([expect.anything(), destination])
  })

  test('a CommonJS module requires it', async () => {
    expect(await travel(node, 'require.cjs')).toMatchObject([expect.anything(), destination])
  })
})
