import { expect, test } from 'vitest'
import { operations } from '../../fixture-api/generated/operations.ts'
import { createRequests, startFixtureWith, tools } from '../../helpers/fixture-service.ts'
import { sendBytes } from '../../helpers/raw.ts'

interface Input {
  readonly query: Readonly<Record<string, unknown>>
}
interface Context {
  readonly hrefWith: (query: Readonly<Record<string, unknown>>) => string
}

const [text, integer, boolean] = ['string', 'integer', 'boolean'].map((type) => ({ type }))

/** Parameters of a list by name: the schema of one item, and how they are written. */
const parameters = {
  text: { schema: text },
  number: { schema: { type: 'number' } },
  'filter[name]': { schema: text },
  'a b&c=ä': { schema: text },
  reserved: { schema: text, allowReserved: true },
  tag: { schema: text, isArray: true },
  'tags[]': { schema: text, isArray: true, style: 'form', explode: true },
  flags: { schema: boolean, isArray: true },
  list: { schema: text, isArray: true, explode: false },
  ids: { schema: integer, isArray: true, style: 'form', explode: false },
  bits: { schema: boolean, isArray: true, explode: false },
  paths: { schema: text, isArray: true, explode: false, allowReserved: true },
  spaces: { schema: text, isArray: true, style: 'spaceDelimited' },
  spaced: { schema: integer, isArray: true, style: 'spaceDelimited', explode: true },
  pipes: { schema: text, isArray: true, style: 'pipeDelimited', explode: false },
  piped: { schema: integer, isArray: true, style: 'pipeDelimited' },
} as const

/** Starts a service that lists three pages of nothing, with these parameters; keeps what its handler gets. */
async function start() {
  const queries: object[] = []
  const { limit, cursor } = operations.listTools.parameters.query
  const own = Object.entries<{
    schema: { type?: string | undefined } | undefined
    isArray?: true
    style?: string
    explode?: boolean
    allowReserved?: boolean
  }>(parameters)
  const rows = own.map(([name, { schema, isArray, ...style }]) => {
    const types = isArray ? { type: 'array', items: schema } : { type: schema?.type }
    return [name, { required: false, ...types, ...style }]
  })
  const query = { limit, cursor, ...Object.fromEntries(rows) }
  const service = await startFixtureWith({
    handlers: {
      listTools({ query: { cursor = '', ...query } }: Input, { hrefWith }: Context) {
        queries.push(query)
        const next = hrefWith({ ...query, cursor: `${cursor}a` })
        const headers = cursor === 'aa' ? {} : { Link: `<${next}>; rel="next"` }
        return { status: 200, body: [], headers }
      },
    },
    operations: {
      listTools: { parameters: { path: {}, query, header: {}, cookie: {} } },
    },
    edit({ paths }) {
      const [limit, cursor] = paths['/tools'].get.parameters
      const described = own.map(([name, { schema, isArray, ...style }]) => {
        return {
          name,
          in: 'query',
          ...style,
          schema: isArray ? { type: 'array', items: schema } : schema,
        }
      })
      paths['/tools'].get.parameters = [limit, cursor, ...described]
    },
  })
  /** Follows the links from a page to the last one; returns what the handler got for each. */
  async function walk(query: string) {
    queries.length = 0
    const links: string[] = []
    let target: string | undefined = `${tools}?${query}`
    while (target !== undefined) {
      const { status, headers } = await service.send(target)
      expect(status, target).toBe(200)
      target = /^<([^<>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
      if (target !== undefined) {
        links.push(target)
      }
    }
    return { queries: [...queries], links }
  }
  return { ...service, walk }
}

const rows: readonly (readonly [sent: string, query: object, link?: string])[] = [
  ['text=a%2Cb,c+d%26e%3Df%23g%2Bh%25', { text: 'a,b,c d&e=f#g+h%' }],
  ['text=a%20b', { text: 'a b' }, 'text=a%20b'],
  ['number=-1.5e3&limit=007', { number: -1500, limit: 7 }],
  ['filter[name]=a&limit=7', { 'filter[name]': 'a', limit: 7 }, 'filter%5Bname%5D=a'],
  ['filter%5Bname%5D=%5Ba%5D', { 'filter[name]': '[a]' }],
  ['a+b%26c%3D%C3%A4=%C3%A4', { 'a b&c=ä': 'ä' }],
  [
    "reserved=a/b?c:d@e;f='g',(h)*!$",
    { reserved: "a/b?c:d@e;f='g',(h)*!$" },
    "=a/b?c:d@e;f='g',(h)*!$&",
  ],
  ['reserved=%26%2B%23%5B%5D%25%20', { reserved: '&+#[]% ' }],
  ['tag=a', { tag: ['a'] }],
  ['tag=a&tag=b', { tag: ['a', 'b'] }, 'tag=a&tag=b'],
  ['tag=a%2Cb&tag=c,d&tag=e+f', { tag: ['a,b', 'c,d', 'e f'] }],
  ['tags[]=a&tags%5B%5D=b', { 'tags[]': ['a', 'b'] }],
  ['flags=true&flags=false', { flags: [true, false] }],
  ['list=a,b', { list: ['a', 'b'] }, 'list=a,b'],
  ['list=a%2Cb,c%20d,%7C', { list: ['a,b', 'c d', '|'] }, 'list=a%2Cb,c%20d,%7C'],
  ['list=a%2Cb&list=c', { list: ['a,b', 'c'] }],
  ['ids=1,-2,003', { ids: [1, -2, 3] }, 'ids=1,-2,3'],
  ['ids=1%2C2', { ids: [1, 2] }, 'ids=1,2'],
  ['bits=true,false', { bits: [true, false] }],
  ['paths=a/b,c%2Cd', { paths: ['a/b', 'c,d'] }, 'paths=a/b,c%2Cd'],
  ['spaces=a%20b+c', { spaces: ['a', 'b', 'c'] }, 'spaces=a%20b%20c'],
  ['spaces=a,b%20c%2B', { spaces: ['a,b', 'c+'] }],
  ['spaced=1&spaced=2', { spaced: [1, 2] }, 'spaced=1&spaced=2'],
  ['pipes=a|b%7Cc', { pipes: ['a', 'b', 'c'] }, 'pipes=a%7Cb%7Cc'],
  ['pipes=a%20,|%C3%A4', { pipes: ['a ,', 'ä'] }],
  ['piped=1%7c2', { piped: [1, 2] }],
  ['tag=a&tag=b&ids=1,2&pipes=c|d', { tag: ['a', 'b'], ids: [1, 2], pipes: ['c', 'd'] }],
]

test('each next link has the same filter, in every style of arrays', async () => {
  const { walk } = await start()
  for (const [sent, query, link = ''] of rows) {
    const { queries, links } = await walk(sent)
    expect(queries, sent).toEqual(Array(3).fill({ limit: 10, ...query }))
    expect(links[0], sent).toContain(link)
  }
})

test('an item that cannot be written in the style of its parameter is a 500, not another filter', async () => {
  const { send, logged } = await startFixtureWith({
    handlers: {
      listTools: (_input: Input, { hrefWith }: Context) => {
        const headers = { Link: `<${hrefWith({ tag: ['a b', 'c'] })}>; rel="next"` }
        return { status: 200, body: [], headers }
      },
    },
    operations: {
      listTools: {
        parameters: {
          ...operations.listTools.parameters,
          query: {
            tag: {
              ...{ required: false, type: 'array', items: { type: 'string' } },
              style: 'spaceDelimited',
            },
          },
        },
      },
    },
  })
  expect((await send(tools)).status).toBe(500)
  const message = 'The parameter tag is spaceDelimited: an item cannot have the separator.'
  expect(logged).toMatchObject([{ msg: 'request failed', err: { message } }])
})

test('links have the path as it was sent, and only characters of a URI', async () => {
  const hours = '/öffnungs"zeiten'
  const service = await startFixtureWith({
    handlers: {
      getLoan: (_input: Input, { hrefWith }: Context) => {
        const headers = { Link: `<${hrefWith({})}>; rel="next"` }
        return { status: 200, body: { member: 'ann', number: 7, due: '2031-02-03' }, headers }
      },
    },
    operations: {
      getManual: { deprecation: { replacedBy: { operationId: 'getOpeningHours' } } },
      getOpeningHours: { path: hours },
    },
    edit({ paths }) {
      const { headers } = paths['/members/{member}/loans/{number}.json'].get.responses[200]
      headers.Link = { schema: { type: 'string' } }
      paths[hours] = paths['/opening-hours']
      delete paths['/opening-hours']
    },
  })
  const linkOf = async (path: string) => {
    const request = createRequests(service).get(`/lending/v2${path}`, 'Connection: close\r\n')
    const { status, headers } = await sendBytes(service.origin, request)
    return [status, headers['link']]
  }
  for (const [member, linked] of [
    ['a%3eb%2Fc', 'a%3eb%2Fc'],
    ['%C3%A4b', '%C3%A4b'],
    ["a'b", "a'b"],
    ['a>b"|', 'a%3Eb%22%7C'],
  ] as const) {
    const link = `</lending/v2/members/${linked}/loans/7.json>; rel="next"`
    expect(await linkOf(`/members/${member}/loans/7.json`)).toEqual([200, link])
  }
  const successor = '</lending/v2/%C3%B6ffnungs%22zeiten>; rel="successor-version"'
  expect(await linkOf('/tools/1/manual')).toEqual([404, successor])
})
