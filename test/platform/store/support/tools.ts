import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { tools } from '../../../helpers/fixture-service.ts'
import type { TestService } from '../../../helpers/service.ts'
import type { UncheckedJson } from '../../../helpers/unchecked-json.ts'

export const saw = { kind: 'saw', name: 'Ryoba' }

/** Creates a tool; returns the status, the body and whether it is a repeated response. */
export async function create(
  { send, apiKey }: TestService,
  idempotencyKey: string,
  json: object | string = saw,
) {
  const headers = { 'Idempotency-Key': idempotencyKey }
  const response = await send(tools, { key: apiKey, json, headers })
  const isRepeated = response.headers.has('Idempotent-Replayed')
  const body: UncheckedJson = await response.json()
  return { status: response.status, body, isRepeated }
}

/** Creates a tool and returns its id; retries three times on 503, as a client does. */
export async function createTool(service: TestService, tool: object = saw): Promise<number> {
  const key = randomUUID()
  for (let retries = 0; ; retries++) {
    const { status, body } = await create(service, key, tool)
    if (status === 201) {
      return body.id
    }
    if (status !== 503 || retries === 3) {
      throw new Error(`The tool was not created: ${status} ${JSON.stringify(body)}`)
    }
    await wait(1_000)
  }
}

/** Returns the ids of the tools that a service lists, of which there are at most 50. */
export async function listIds({ send }: TestService): Promise<number[]> {
  const listed: { readonly id: number }[] = await (await send(`${tools}?limit=50`)).json()
  return listed.map(({ id }) => id)
}
