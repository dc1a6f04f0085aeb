import { failure } from '../../server/contract/errors.ts'
import { createPageCursors } from '../../server/contract/page-cursor.ts'
import type { HandlerOptions } from '../../server/pets/handlers.ts'
import type { components, operations } from './generated/openapi.d.ts'

type Tool = components['schemas']['Tool']
type NewTool = components['schemas']['NewTool']
type Changes = components['schemas']['ToolChanges']
type Query = NonNullable<operations['listTools']['parameters']['query']>
interface ById {
  readonly path: { readonly toolId: number }
}
interface Context {
  readonly callerId: string
  readonly hrefWith: (query: object) => string
}

/** Returns a handler for each operation of the fixture API; its tools are kept in memory. */
export function createFixtureHandlers({ store }: Pick<HandlerOptions, 'store'>) {
  const tools = new Map<number, Tool>()
  const created = new Map<string, { readonly body: string; readonly tool: Tool }>()
  const cursors = createPageCursors(store.secret)
  let lastId = 0
  const missing = (id: number) => failure(404, 'not_found', `There is no tool ${id}.`)
  const found = (id: number) => {
    const tool = tools.get(id)
    return tool === undefined ? missing(id) : { status: 200, body: tool }
  }

  return {
    listTools({ query }: { query: Query & { limit: number } }, { hrefWith }: Context) {
      const { limit, cursor, kind, tag = [], ids, 'heavier-than': weight } = query
      const after = cursor === undefined ? 0 : cursors.read(cursor, '')
      if (after === undefined) {
        const details = [{ path: '/query/cursor', message: 'must be a cursor of this list' }]
        return failure(400, 'invalid_request', 'The cursor is not valid here.', details)
      }
      const all = [...tools.values()].filter(
        (tool) =>
          tool.id > after &&
          (kind === undefined || tool.kind === kind) &&
          (ids === undefined || ids.includes(tool.id)) &&
          (weight === undefined || (tool.weight ?? 0) > weight) &&
          tag.every((each) => tool.tags?.includes(each)),
      )
      const body = all.slice(0, limit)
      const headers = { 'X-Total': all.length }
      const last = body.at(-1)
      if (all.length <= limit || last === undefined) return { status: 200, body, headers }
      const next = hrefWith({ limit, kind, cursor: cursors.write(last.id, '') })
      return { status: 200, body, headers: { ...headers, Link: `<${next}>; rel="next"` } }
    },
    createTool(
      { headers, body }: { headers: { 'Idempotency-Key'?: string }; body: NewTool },
      { callerId }: Context,
    ) {
      const sent = JSON.stringify(body)
      const name = headers['Idempotency-Key'] && `${callerId} ${headers['Idempotency-Key']}`
      const earlier = name === undefined ? undefined : created.get(name)
      if (earlier !== undefined && earlier.body !== sent) {
        const message = 'This Idempotency-Key was used with another body.'
        return failure(422, 'idempotency_key_reused', message)
      }
      if (earlier !== undefined) {
        return { status: 201, body: earlier.tool, headers: { 'Idempotent-Replayed': true } }
      }
      lastId += 1
      const tool = { id: lastId, ...body }
      tools.set(lastId, tool)
      if (name !== undefined) created.set(name, { body: sent, tool })
      return { status: 201, body: tool }
    },
    getTool: ({ path }: ById) => found(path.toolId),
    replaceTool({ path: { toolId }, body }: ById & { body: NewTool }) {
      if (!tools.has(toolId)) return missing(toolId)
      tools.set(toolId, { id: toolId, ...body })
      return found(toolId)
    },
    updateTool({ path: { toolId }, body }: ById & { body: Changes }) {
      const tool = tools.get(toolId)
      if (tool !== undefined) tools.set(toolId, { ...tool, ...body })
      return found(toolId)
    },
    deleteTool({ path: { toolId } }: ById) {
      return tools.delete(toolId) ? { status: 204 } : missing(toolId)
    },
    getManual({ path: { toolId } }: ById) {
      if (!tools.has(toolId)) return missing(toolId)
      return { status: 200, body: { text: 'Do not drop it.' } }
    },
    getLoan: ({ path }: { path: { member: string; number: number } }) => ({
      status: 200,
      body: { ...path, due: '2031-02-03' },
    }),
    getOpeningHours: () => ({ status: 200, body: { mon: '9-17', sat: null } }),
  }
}
