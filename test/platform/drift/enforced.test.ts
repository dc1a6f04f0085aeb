import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { writeFolder } from '../../../scripts/pipeline/output-folder.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { once } from '../../helpers/once.ts'
import { startTestService } from '../../helpers/service.ts'
import { readBase } from '../pipeline/support/base.ts'
import { type Edit, remove, set, together } from '../pipeline/support/spec-edit.ts'
import { createFolder, writeSpec } from '../pipeline/support/workspace.ts'

/** An edit, a request, and the status of its response before the edit and after it. */
interface Row {
  readonly what: string
  readonly edit: Edit
  readonly path?: string
  /** The fields of a tool to create, or else a page is asked for. */
  readonly fields?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly isAnonymous?: boolean
  readonly before: number
  readonly after: number
}

const parameters = 'components parameters'
const schemas = 'components schemas'
const headers = 'components headers'
const list = '/tools?status=sold'
const longId = { 'X-Request-Id': 'a'.repeat(50) }

// Each request is one that no other of these edits changes the response of.
const enforced: readonly Row[] = [
  {
    what: 'a value added to an enum',
    edit: set(`${schemas} Status enum 3`, 'reserved'),
    fields: { status: 'reserved' },
    before: 400,
    after: 201,
  },
  {
    what: 'a value removed from an enum',
    edit: remove(`${schemas} Status enum 1`),
    fields: { status: 'pending' },
    before: 201,
    after: 400,
  },
  {
    what: 'a lower maximum',
    edit: set(`${parameters} Limit schema maximum`, 40),
    path: `${list}&limit=41`,
    before: 200,
    after: 400,
  },
  {
    what: 'a lower maxLength',
    edit: set(`${schemas} ToolFields properties name maxLength`, 10),
    fields: { name: 'A saw of Ryoba' },
    before: 201,
    after: 400,
  },
  {
    what: 'a lower maxItems of a parameter',
    edit: set(`${parameters} Tags schema maxItems`, 2),
    path: `${list}&tag=a&tag=b&tag=c`,
    before: 200,
    after: 400,
  },
  {
    what: 'a lower maxItems of a response',
    edit: set(`${schemas} Tools maxItems`, 2),
    path: `${list}&kind=saw`,
    before: 200,
    after: 500,
  },
  {
    what: 'a parameter made required',
    edit: set(`${parameters} Status required`, true),
    path: '/tools',
    before: 200,
    after: 400,
  },
  {
    what: 'credentials no longer required',
    edit: set('paths /tools get security', []),
    path: `${list}&kind=drill`,
    isAnonymous: true,
    before: 401,
    after: 200,
  },
]

const ignored: readonly Row[] = [
  {
    what: 'a minimum beside $ref in a parameter',
    edit: together(
      set(`${parameters} ToolId schema minimum`, 900),
      set(`${parameters} ToolId example`, 900),
    ),
    path: '/tools/899',
    before: 404,
    after: 400,
  },
  {
    what: 'an enum beside $ref in a parameter',
    edit: set(`${parameters} Kind schema enum`, ['saw']),
    path: `${list}&kind=drill`,
    before: 200,
    after: 400,
  },
  {
    what: 'a parameter with a default made required',
    edit: set(`${parameters} Limit required`, true),
    path: `${list}&kind=drill`,
    before: 200,
    after: 400,
  },
]

const repeated: readonly Row[] = [
  {
    what: 'a narrower pattern of X-Request-Id',
    edit: set(`${headers} X-Request-Id schema pattern`, '^[A-Za-z0-9-]{8,40}$'),
    path: list,
    headers: longId,
    before: 200,
    after: 200,
  },
  {
    what: 'another value of a fixed header',
    edit: together(
      set(`${headers} Cache-Control schema const`, 'private'),
      set(`${headers} Cache-Control example`, 'private'),
    ),
    path: list,
    before: 200,
    after: 200,
  },
]

const title = '$what: the status is $after instead of $before, with no other edit'

test('the service responds to each request as the tables say before any edit', async () => {
  const rows = [...enforced, ...ignored, ...repeated]
  const statuses = await readStatuses(rows, [])
  expect(statuses).toEqual(rows.map(({ before }) => before))
})

test.for(withStatuses(enforced))(title, expectEnforced)

// Passes when the service validates every request that it lets in with Ajv as well.
test.fails.for(withStatuses(ignored))(title, expectIgnored)

// Passes when the request id and the fixed headers come from the description.
test.fails.for(repeated.flatMap((row) => withStatuses([row])))(
  '$what: the status is still $after',
  expectIgnored,
)

/** Adds to each row what asks, once for all of them, for the statuses after all of their edits. */
function withStatuses(rows: readonly Row[]) {
  const read = once(() =>
    readStatuses(
      rows,
      rows.map(({ edit }) => edit),
    ),
  )
  return rows.map((row, index) => ({ ...row, status: async () => (await read())[index] }))
}

async function expectEnforced({ after, status }: ReturnType<typeof withStatuses>[number]) {
  expect(await status()).toBe(after)
}

// A service that cannot be started must not look like the failure that is expected.
async function expectIgnored({ after, status }: ReturnType<typeof withStatuses>[number]) {
  expect(await status().catch(() => after)).toBe(after)
}

async function readStatuses(rows: readonly Row[], edits: readonly Edit[]) {
  const { send, apiKey } = await startEdited(edits)
  const ask = async ({ path = '/tools', fields, isAnonymous, headers }: Partial<Row>) => {
    const body = JSON.stringify({ kind: 'saw', name: 'Ryoba', ...fields })
    const all = {
      ...(isAnonymous ? {} : { Authorization: `Bearer ${apiKey}` }),
      ...(fields ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    }
    const { status } = await send(`/lending/v2${path}`, {
      headers: all,
      ...(fields && { method: 'POST', body }),
    })
    return status
  }
  // More than a page may have after an edit.
  for (let tools = 1; tools <= 3; tools++) await ask({ fields: {} })
  const statuses: number[] = []
  for (const row of rows) statuses.push(await ask(row))
  return statuses
}

/** Starts a service on what the fixture API is compiled into after edits. */
async function startEdited(edits: readonly Edit[]) {
  const description = parseDocument(await readBase())
  together(...edits)(description)
  const folder = await createFolder()
  const { artifacts } = await compile(await writeSpec(description.toString()), 'strict')
  await writeFolder(folder, artifacts)
  return startTestService({}, undefined, {}, undefined, {
    ...fixtureApi,
    ...(await import(join(folder, 'operations.ts'))),
    description: JSON.parse(await readFile(join(folder, 'openapi.json'), 'utf8')),
    readValidators: () => import(join(folder, 'validators.js')),
  })
}
