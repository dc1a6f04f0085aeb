import { client, type Handler } from './api.ts'

const point = { x: 1 }
await client.getPoint(7, ['a'], point)
await client.getPoint('6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d55', [], point, { near: point })
await client.getPoint(7, ['a'], point, { filter: { gte: 1, names: ['a'] }, any: [1, null] })
await client.getPoint(7, ['a'], point, {}, { headers: { 'X-Ids': [1], traceparent: '00-a' } })
await client.getPoint(7, ['a'], point, {}, { cookies: { shelf: null }, maxRetries: 0 })
await client.listPlaces({ cookies: { session: 'a' } })

export const getPoint: Handler<'getPoint'> = ({ path, query, headers, cookies }, { respond }) => {
  const ids: readonly (number | string)[] = [path.id, ...path.tags, ...(headers['X-Ids'] ?? [])]
  const names: readonly string[] | undefined = query.filter?.names
  const shelf: number | null | undefined = cookies.shelf
  const numbers = [query.near?.x, query.filter?.gte, shelf, names?.length, ids.length]
  return respond(200, { x: Number(numbers[0] ?? path.point.x) })
}

// @ts-expect-error the items are texts
client.getPoint(7, [1], point)
// @ts-expect-error a point has an x
client.getPoint(7, [], {})
// @ts-expect-error the filter has no such member
client.getPoint(7, [], point, { filter: { lte: 1 } })
// @ts-expect-error the items are numbers
client.getPoint(7, [], point, {}, { headers: { 'X-Ids': ['a'] } })
// @ts-expect-error the cookie is required
client.listPlaces()
export const wrong: Handler<'getPoint'> = ({ query }, { respond }) => {
  // @ts-expect-error the member is an integer
  const gte: string | undefined = query.filter?.gte
  return respond(200, { x: Number(gte) })
}
