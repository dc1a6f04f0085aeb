import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { baseUrl, json, watch } from './support/watched-store.ts'

/** Answers the first request with a page that has these Link fields, and any other without. */
function link(...fields: readonly string[]) {
  return watch((_, number) => {
    const response = json([{ id: number, name: 'Rex', categoryId: 7 }])
    if (number === 1) for (const field of fields) response.headers.append('Link', field)
    return response
  })
}

const followed: readonly (readonly [string, ...string[]])[] = [
  ['a path', '</v1/pets?cursor=c2>; rel="next"'],
  ['a relative link', '<pets?cursor=c2>; rel="next"'],
  ['a query alone', '<?cursor=c2>; rel="next"'],
  ['a link in full', '<https://animals.example/v1/pets?cursor=c2>; rel="next"'],
  [
    'a host in capitals, and the port that is usual',
    '<https://ANIMALS.example:443/v1/pets?cursor=c2>; rel="next"',
  ],
  ['no quotes', '</v1/pets?cursor=c2>; rel=next'],
  ['no space', '</v1/pets?cursor=c2>;rel="next"'],
  ['spaces wherever they may be', ' < /v1/pets?cursor=c2 > ; rel = "next" '],
  ['other letters', '</v1/pets?cursor=c2>; REL="Next"'],
  ['several relations', '</v1/pets?cursor=c2>; rel="prev next"'],
  ['other parameters before', '</v1/pets?cursor=c2>; title="a, b"; type=text/plain; rel="next"'],
  ['other parameters after', '</v1/pets?cursor=c2>; rel="next"; title="more"; hreflang=en'],
  ['a second rel, which does not count', '</v1/pets?cursor=c2>; rel="next"; rel="prev"'],
  ['another link before', '</v1/pets?cursor=c0>; rel="prev", </v1/pets?cursor=c2>; rel="next"'],
  ['another link after', '</v1/pets?cursor=c2>; rel="next", </v1/pets>; rel="first"'],
  ['two fields', '</v1/pets>; rel="first"', '</v1/pets?cursor=c2>; rel="next"'],
  ['other parameters in its query', '</v1/pets?limit=5&cursor=c2&a=b>; rel="next"'],
  // Only its cursor is taken: nothing else of it is asked for.
  ['a user name', '<https://rex:secret@animals.example/v1/pets?cursor=c2>; rel="next"'],
  ['another path', '</elsewhere?cursor=c2>; rel="next"'],
]

test.each(followed)('a next link with %s is followed by its cursor', async (_, ...fields) => {
  const { store, requests } = link(...fields)
  expect(await Array.fromAsync(store.listPets({ status: 'sold' }))).toHaveLength(2)
  expect(requests.map(({ url }) => url)).toEqual([
    `${baseUrl}/pets?status=sold`,
    `${baseUrl}/pets?status=sold&cursor=c2`,
  ])
})

const refused: readonly (readonly [string, string])[] = [
  ['to another host', '<https://other.example/v1/pets?cursor=c2>; rel="next"'],
  ['to another host without a protocol', '<//other.example/v1/pets?cursor=c2>; rel="next"'],
  ['to another port', '<https://animals.example:8443/v1/pets?cursor=c2>; rel="next"'],
  ['to another protocol', '<http://animals.example/v1/pets?cursor=c2>; rel="next"'],
  [
    'to a host that looks like a user name',
    '<https://animals.example@other.example/v1/pets?cursor=c2>; rel="next"',
  ],
  ['to a program', '<javascript:alert(1)?cursor=c2>; rel="next"'],
  ['to data', '<data:text/plain,?cursor=c2>; rel="next"'],
  ['without a cursor', '</v1/pets?limit=5>; rel="next"'],
  ['that is empty', '<>; rel="next"'],
  ['to no URL', '<https://[/v1/pets?cursor=c2>; rel="next"'],
  ['to the page that has it', '</v1/pets?cursor=c1>; rel="next"'],
]

test.each(refused)('a next link %s is refused, and nothing is sent', async (_, field) => {
  const { store, requests } = link(field)
  await expect(store.listPets({ cursor: 'c1' })).rejects.toMatchObject({
    name: 'AnimalStoreError',
    code: 'unexpected_response',
    status: 200,
    message: 'The answer to listPets has a wrong next link.',
  })
  expect(requests).toHaveLength(1)
})

test.each([
  ['for another relation', '</v1/pets?cursor=c0>; rel="prev"'],
  ['whose relation only begins like it', '</v1/pets?cursor=c2>; rel="next-archive"'],
  ['whose relation is a URL', '</v1/pets?cursor=c2>; rel="https://animals.example/next"'],
  ['that says next in its title', '</v1/pets?cursor=c2>; title="next"'],
  ['without a relation', '</v1/pets?cursor=c2>'],
  ['without brackets', '/v1/pets?cursor=c2; rel="next"'],
  ['that never closes', '</v1/pets?cursor=c2; rel="next"'],
  ['with nothing in it', ''],
])('a link %s leads to no next page', async (_, field) => {
  const { store } = link(field)
  expect((await store.listPets()).next).toBeUndefined()
})

test('a long and broken Link field is read in time', async () => {
  const { store } = link(`<a>${'; a="b"'.repeat(5_000)}; "`, `<${'<'.repeat(20_000)}`)
  expect((await store.listPets()).next).toBeUndefined()
})

test('a server that a link or a redirect leads to never gets the key', async () => {
  const seen: (string | undefined)[] = []
  const other = await listen((authorization) => {
    seen.push(authorization)
    return { status: 200, headers: {} }
  })
  const links = await listen(() => {
    return { status: 200, headers: { Link: `<${other}/v1/pets?cursor=c2>; rel="next"` } }
  })
  const options = { baseUrl: `${links}/v1` }
  const { store } = watch((request) => fetch(request), options)
  await expect(Array.fromAsync(store.listPets())).rejects.toMatchObject({
    code: 'unexpected_response',
  })
  expect(seen).toEqual([])
  const redirects = await listen(() => ({ status: 307, headers: { Location: `${other}/v1/pets` } }))
  await watch((request) => fetch(request), { baseUrl: `${redirects}/v1` })
    .store.listPets()
    .catch(() => undefined)
  expect(seen.filter((authorization) => authorization !== undefined)).toEqual([])
})

/** Starts a server that answers any request with an empty list; gives its origin. */
async function listen(
  answer: (authorization: string | undefined) => {
    status: number
    headers: Record<string, string>
  },
): Promise<string> {
  const server = createServer(({ headers: { authorization } }, response) => {
    const { status, headers } = answer(authorization)
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end('[]')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
