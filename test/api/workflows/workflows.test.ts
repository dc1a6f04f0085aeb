import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { project, runProgram } from '../../helpers/program.ts'
import { startAnimalStore } from '../support/service.ts'

const file = join(project, 'spec/workflows.arazzo.yaml')
const redocly = 'node_modules/@redocly/cli/bin/cli.js'
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

test.for([2, 350])(
  'with %i pets, every workflow of spec/workflows.arazzo.yaml succeeds, and no API key is printed',
  async (pets) => {
    const { baseUrl, apiKey, client, send, issue } = await startAnimalStore()
    for (let number = 0; number < pets; number++) {
      await client.createPet({ name: `pet ${number}`, categoryId: 1, status: 'sold' })
    }
    const page = await send('/v1/pets?limit=1')
    const [, cursor = ''] = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '') ?? []
    const { key: lastRequestKey } = await issue({ perMinute: 1 })
    const inputs = { apiKey, cursor, lastRequestKey, idempotencyKey: crypto.randomUUID() }
    // Every user of the machine can read arguments.
    const env = {
      ...quiet,
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
      REDOCLY_CLI_RESPECT_SERVER: `store=${baseUrl}`,
    }
    const { status, output, errorOutput } = await runProgram(redocly, ['respect', file], {
      project,
      env,
    })
    const written = stripVTControlCharacters(output + errorOutput)
    expect(status, written).toBe(0)
    const { workflows }: { workflows: { workflowId: string }[] } = parse(readFileSync(file, 'utf8'))
    for (const { workflowId } of workflows) expect(written).toContain(workflowId)
    expect(written).not.toContain(apiKey)
    expect(written).not.toContain(lastRequestKey)
  },
)
