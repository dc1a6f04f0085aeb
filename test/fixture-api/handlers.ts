import type { OperationHandler } from '../../server/contract/handler.ts'
import { createPageCursors } from '../../server/contract/page-cursor.ts'
import type { HandlerOptions } from '../../server/served-api.ts'
import {
  type CreatedTable,
  IdempotentCreates,
  readIdempotencyKey,
  rejectKey,
  replayHeaders,
} from '../../server/store/idempotent-create.ts'
import type { Schema } from '../../server/store/schema.ts'
import type { components, operations } from './generated/openapi.d.ts'
import type { operations as rows } from './generated/operations.ts'

type Tool = components['schemas']['Tool']
type OperationId = keyof operations & keyof typeof rows
type FixtureHandler<Id extends OperationId> = OperationHandler<operations, typeof rows, Id>

/** The handlers of the fixture API, by operationId. */
export type FixtureHandlers = { readonly [Id in OperationId]: FixtureHandler<Id> }

interface Row {
  readonly id: number
  readonly document: string
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

/** Returns a handler for each operation of the fixture API; its tools are rows with their JSON. */
export function createFixtureHandlers({
  store,
  idempotencyHours,
}: HandlerOptions): FixtureHandlers {
  const { read, write } = store.database
  const creates = new IdempotentCreates(store.database, tools)
  const cursors = createPageCursors(store.secret)
  const select = 'SELECT id, document FROM tools'

  const toTool = ({ id, document }: Row): Tool => {
    // It is stored as one object with all fields but this one.
    const tool: Tool = JSON.parse(document)
    return { ...tool, id }
  }

  async function find(toolId: number): Promise<Tool | undefined> {
    const [row] = await read<Row>(`${select} WHERE id = $1`, toolId)
    return row && toTool(row)
  }

  async function save(tool: Tool): Promise<Tool> {
    const { id, ...fields } = tool
    await write(['UPDATE tools SET document = $1 WHERE id = $2', JSON.stringify(fields), id])
    return tool
  }

  /** Returns the arguments of the error response for a tool that there is not. */
  const noTool = (toolId: number) => [404, 'not_found', `There is no tool ${toolId}.`] as const

  return {
    async listTools({ query: { limit, cursor } }, { hrefWith, respond, respondError }) {
      const after = cursor === undefined ? 0 : cursors.read(cursor, '')
      if (after === undefined) {
        const details = [{ path: '/query/cursor', message: 'must be a cursor of this list' }]
        return respondError(400, 'invalid_request', 'The cursor is not valid here.', { details })
      }

      const sql = `${select} WHERE id > $1 ORDER BY id`
      const found = await read<Row>(sql, after)
      const page = found.slice(0, limit).map(toTool)
      const headers = { 'X-Total': found.length }
      const last = page.at(-1)
      if (found.length <= limit || last === undefined) {
        return respond(200, page, headers)
      }

      const next = hrefWith({ limit, cursor: cursors.write(last.id, '') })
      return respond(200, page, { ...headers, Link: `<${next}>; rel="next"` })
    },

    async createTool({ headers, body }, context) {
      const key = readIdempotencyKey(headers['Idempotency-Key'], context, body, idempotencyHours)
      const created = await creates.add([JSON.stringify(body)], key)
      if (!('id' in created)) {
        return rejectKey(created.kind, context.respondError)
      }

      const tool = { id: created.id, ...body }
      return context.respond(201, tool, replayHeaders(created.kind))
    },

    async getTool({ path: { toolId } }, { respond, respondError }) {
      const tool = await find(toolId)
      return tool === undefined ? respondError(...noTool(toolId)) : respond(200, tool)
    },

    async replaceTool({ path: { toolId }, body }, { respond, respondError }) {
      const tool = await find(toolId)
      if (tool === undefined) {
        return respondError(...noTool(toolId))
      }

      return respond(200, await save({ id: toolId, ...body }))
    },

    async updateTool({ path: { toolId }, body }, { respond, respondError }) {
      const tool = await find(toolId)
      if (tool === undefined) {
        return respondError(...noTool(toolId))
      }

      return respond(200, await save({ ...tool, ...body }))
    },

    async deleteTool({ path: { toolId } }, { respond, respondError }) {
      const tool = await find(toolId)
      if (tool === undefined) {
        return respondError(...noTool(toolId))
      }

      await write(['DELETE FROM idempotency_keys WHERE row_id = $1', toolId])
      await write(['DELETE FROM tools WHERE id = $1', toolId])
      return respond(204)
    },

    async getManual({ path: { toolId } }, { respond, respondError }) {
      const tool = await find(toolId)
      if (tool === undefined) {
        return respondError(...noTool(toolId))
      }

      return respond(200, { text: 'Do not drop it.' })
    },

    getLoan({ path: { member, number } }, { respond }) {
      return respond(200, { member, number, due: '2031-02-03' })
    },

    getOpeningHours(_input, { respond }) {
      return respond(200, { mon: '9-17', sat: null })
    },
  }
}
