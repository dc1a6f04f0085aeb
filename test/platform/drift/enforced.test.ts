import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { writeFolder } from '../../../scripts/pipeline/output-folder.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { once } from '../../helpers/once.ts'
import { startTestService } from '../../helpers/service.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { type Edit, remove, set, together } from '../pipeline/support/spec-edit.ts'
import { readBase, writeSpec } from '../pipeline/support/workspace.ts'

/** Edits by the request that they change the response of, and its status after and before. */
type Enforced = Readonly<Record<string, Edit>>

const parameters = 'components parameters'
const schemas = 'components schemas'
const headers = 'components headers'

// No request meets another edit of the same table.
const enforced: Enforced = {
  'POST /tools {"status":"reserved"} is 201 instead of 400': set(
    `${schemas} Status enum 3`,
    'reserved',
  ),
  'POST /tools {"status":"pending"} is 400 instead of 201': remove(`${schemas} Status enum 1`),
  'POST /tools {"name":"A saw of Ryoba"} is 400 instead of 201': set(
    `${schemas} ToolFields properties name maxLength`,
    10,
  ),
  'GET /tools?status=sold&limit=41 is 400 instead of 200': set(
    `${parameters} Limit schema maximum`,
    40,
  ),
  'GET /tools?status=sold&tag=a&tag=b&tag=c is 400 instead of 200': set(
    `${parameters} Tags schema maxItems`,
    2,
  ),
  'GET /tools?status=sold&kind=saw is 500 instead of 200': set(`${schemas} Tools maxItems`, 2),
  'GET /tools is 400 instead of 200': set(`${parameters} Status required`, true),
  'anonymous GET /tools?status=sold&kind=drill is 200 instead of 401': set(
    'paths /tools get security',
    [],
  ),
}

// express-openapi-validator alone ignores these.
const ignored: Enforced = {
  'GET /tools/899 is 400 instead of 404': together(
    set(`${parameters} ToolId schema minimum`, 900),
    set(`${parameters} ToolId example`, 900),
  ),
  'GET /tools?limit=1&kind=drill is 400 instead of 200': set(`${parameters} Kind schema enum`, [
    'saw',
  ]),
  'GET /tools?kind=saw is 400 instead of 200': set(`${parameters} Limit required`, true),
}

// The service takes these from the description. Each table is one edit.
const repeated: readonly Enforced[] = [
  {
    'GET /tools is 200 instead of 200': set(
      `${headers} X-Request-Id schema pattern`,
      '^[A-Za-z0-9-]{8,40}$',
    ),
  },
  {
    'GET /tools?limit=1 is 200 instead of 200': together(
      set(`${headers} Cache-Control schema const`, 'private'),
      set(`${headers} Cache-Control example`, 'private'),
    ),
  },
]

test('before any edit the service responds as the tables say', async () => {
  const rows = Object.keys(Object.assign({}, enforced, ignored, ...repeated)).map(readRow)
  expect(await readStatuses(rows, [])).toEqual(rows.map(({ before }) => before))
})

test.for([enforced, ignored, ...repeated].flatMap(toRows))(
  'after an edit of the spec alone, $what',
  async ({ after, status }) => {
    expect(await status()).toBe(after)
  },
)

/** Returns a row for each edit; the first one that is asked starts a service with all of them. */
function toRows(edits: Enforced) {
  const rows = Object.keys(edits).map(readRow)
  const read = once(() => readStatuses(rows, Object.values(edits)))
  return rows.map((row, index) => ({ ...row, status: async () => (await read())[index] }))
}

function readRow(what: string) {
  const pattern = /^(anonymous )?(GET|POST) (\S+) (\{.*\} )?is (\d+) instead of (\d+)$/
  const [, anonymous, method = '', path = '', fields, after, before] = pattern.exec(what) ?? []
  return { what, anonymous, method, path, fields, after: Number(after), before: Number(before) }
}

async function readStatuses(rows: readonly ReturnType<typeof readRow>[], edits: readonly Edit[]) {
  const { send, apiKey } = await startEdited(edits)
  const ask = async ({ anonymous, method, path, fields = '{}' }: ReturnType<typeof readRow>) => {
    const body = JSON.stringify({ kind: 'saw', name: 'Ryoba', ...JSON.parse(fields) })
    const { status } = await send(`/lending/v2${path}`, {
      method,
      headers: {
        'X-Request-Id': 'a'.repeat(50),
        ...(anonymous ? {} : { Authorization: `Bearer ${apiKey}` }),
        ...(method === 'POST' && { 'Content-Type': 'application/json' }),
      },
      ...(method === 'POST' && { body }),
    })
    return status
  }
  // More than a page may have after an edit.
  const created = readRow('POST /tools is 201 instead of 201')
  for (let tools = 1; tools <= 3; tools++) await ask(created)
  const statuses: number[] = []
  for (const row of rows) statuses.push(await ask(row))
  return statuses
}

/** Starts a service on what the fixture API is compiled into after edits. */
async function startEdited(edits: readonly Edit[]) {
  const description = parseDocument(await readBase())
  together(...edits)(description)
  const folder = createTemporaryFolder()
  const { artifacts } = await compile(await writeSpec(description.toString()), 'strict')
  await writeFolder(folder, artifacts)
  return startTestService(
    {},
    undefined,
    {},
    {
      ...fixtureApi,
      ...(await import(join(folder, 'operations.ts'))),
      description: JSON.parse(await readFile(join(folder, 'openapi.json'), 'utf8')),
    },
  )
}
