import { errorResponse } from '../../server/contract/errors.ts'
import type { AnyResponse } from '../../server/contract/handler.ts'
import { createPageCursors } from '../../server/contract/page-cursor.ts'
import type { HandlerOptions } from '../../server/served-api.ts'
import {
  type CreatedTable,
  createdResponse,
  IdempotentCreates,
  readIdempotencyKey,
  rejectKey,
} from '../../server/store/idempotent-create.ts'
import type { Schema } from '../../server/store/schema.ts'
import type { components, operations } from './generated/openapi.d.ts'

type Tool = components['schemas']['Tool']
type NewTool = components['schemas']['NewTool']
type Changes = components['schemas']['ToolChanges']
type Query = NonNullable<operations['listTools']['parameters']['query']>
type Response = AnyResponse | Promise<AnyResponse>
interface Row {
  readonly id: number
  readonly document: string
}
interface ById {
  readonly path: { readonly toolId: number }
}
interface Context {
  readonly callerId: string | undefined
  readonly hrefWith: (query: object) => string
  readonly fingerprint: (body: unknown) => string
}

/** The table of the tools, each of which is kept as JSON. */
const tools: CreatedTable = {
  name: 'tools',
  columns: { document: 'text' },
}

/** The tables of the fixture API. */
export const fixtureSchema: Schema = {
  migrations: (dialect) => ({
    '0001_tools': [
      `CREATE TABLE tools (id ${dialect.types.id}, document TEXT NOT NULL) ${dialect.types.options}`,
    ],
  }),
  tables: [{ name: 'tools', start: { id: 0 } }],
}

/** The handlers of the fixture API, by operationId. */
export type FixtureHandlers = ReturnType<typeof createFixtureHandlers>

/** Returns a handler for each operation of the fixture API; its tools are rows with their JSON. */
export function createFixtureHandlers({ store, idempotencyHours }: HandlerOptions) {
  const { read, write } = store.database
  const creates = new IdempotentCreates(store.database, tools)
  const cursors = createPageCursors(store.secret)
  const toTool = ({ id, document }: Row): Tool => ({ id, ...JSON.parse(document) })
  const select = 'SELECT id, document FROM tools'
  /** Returns a handler that responds with 404 unless there is the tool. */
  function ofTool<Input extends ById>(respond: (tool: Tool, input: Input) => Response) {
    return async (input: Input) => {
      const { toolId } = input.path
      const [row] = await read<Row>(`${select} WHERE id = $1`, toolId)
      if (row !== undefined) return respond(toTool(row), input)
      return errorResponse(404, 'not_found', `There is no tool ${toolId}.`)
    }
  }
  async function save(tool: Tool) {
    const { id, ...fields } = tool
    await write(['UPDATE tools SET document = $1 WHERE id = $2', JSON.stringify(fields), id])
    return { status: 200, body: tool }
  }

  return {
    async listTools({ query }: { query: Query & { limit: number } }, { hrefWith }: Context) {
      const { limit, cursor } = query
      const after = cursor === undefined ? 0 : cursors.read(cursor, '')
      if (after === undefined) {
        const details = [{ path: '/query/cursor', message: 'must be a cursor of this list' }]
        return errorResponse(400, 'invalid_request', 'The cursor is not valid here.', details)
      }
      const sql = `${select} WHERE id > $1 ORDER BY id`
      const rows = await read<Row>(sql, after)
      const body = rows.slice(0, limit).map(toTool)
      const headers = { 'X-Total': rows.length }
      const last = body.at(-1)
      if (rows.length <= limit || last === undefined) return { status: 200, body, headers }
      const next = hrefWith({ limit, cursor: cursors.write(last.id, '') })
      return { status: 200, body, headers: { ...headers, Link: `<${next}>; rel="next"` } }
    },
    async createTool(
      { headers, body }: { headers: { 'Idempotency-Key'?: string }; body: NewTool },
      context: Context,
    ) {
      const idempotencyKey = readIdempotencyKey(
        headers['Idempotency-Key'],
        context,
        body,
        idempotencyHours,
      )
      const created = await creates.add([JSON.stringify(body)], idempotencyKey)
      if (!('id' in created)) return rejectKey(created.kind)
      return createdResponse(created.kind, { id: created.id, ...body })
    },
    getTool: ofTool((tool) => ({ status: 200, body: tool })),
    replaceTool: ofTool(({ id }, { body }: ById & { body: NewTool }) => save({ id, ...body })),
    updateTool: ofTool((tool, { body }: ById & { body: Changes }) => save({ ...tool, ...body })),
    deleteTool: ofTool(async ({ id }) => {
      await write(['DELETE FROM idempotency_keys WHERE row_id = $1', id])
      await write(['DELETE FROM tools WHERE id = $1', id])
      return { status: 204 }
    }),
    getManual: ofTool(() => ({ status: 200, body: { text: 'Do not drop it.' } })),
    getLoan: ({ path }: { path: { member: string; number: number } }) => ({
      status: 200,
      body: { ...path, due: '2031-02-03' },
    }),
    getOpeningHours: () => ({ status: 200, body: { mon: '9-17', sat: null } }),
  }
}
