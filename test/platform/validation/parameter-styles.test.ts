import { expect, test } from 'vitest'
import { createRandom } from '../../helpers/random.ts'
import { type EchoedParameter, startEcho } from './support/echo-service.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const number = { type: 'number' }
const boolean = { type: 'boolean' }
const listOf = (items: unknown, more = {}) => ({ type: 'array', items, ...more })
const color = {
  type: 'object',
  properties: { R: integer, G: integer, name: text },
  additionalProperties: false,
}
const numbers = { type: 'object', additionalProperties: integer }
const either = { oneOf: [integer, numbers] }

/** A parameter, what is sent of it, and its value; `undefined` if it is rejected. */
type Row = readonly [parameter: EchoedParameter, sent: string, value: unknown]

const inQuery: readonly Row[] = [
  // form
  [{ schema: listOf(text) }, 'p=a&p=b%2Cc', ['a', 'b,c']],
  [{ schema: listOf(text) }, 'p=a&p=', ['a', '']],
  [{ schema: listOf(text), explode: false }, 'p=a,b%2Cc', ['a', 'b,c']],
  [{ schema: listOf(text), explode: false }, 'p=a,,b', ['a', '', 'b']],
  [{ schema: listOf(integer), explode: false }, 'p=1,x', undefined],
  [{ schema: color }, 'R=100&name=a%26b', { R: 100, name: 'a&b' }],
  [{ schema: color }, 'R=x', undefined],
  [{ schema: color }, 'X=1', undefined],
  [{ schema: color }, 'R=1&R=2', undefined],
  [{ schema: { ...color, additionalProperties: integer } }, 'R=1&other=2', { R: 1, other: 2 }],
  [{ schema: { type: 'object' } }, 'a=1&b=x', { a: '1', b: 'x' }],
  [{ schema: { type: 'object', properties: { t: listOf(text) } } }, 't=a&t=b', { t: ['a', 'b'] }],
  [{ schema: color, explode: false }, 'p=R,100,name,a%2Cb', { R: 100, name: 'a,b' }],
  [{ schema: color, explode: false }, 'p=R,100,name', undefined],
  // deepObject
  [{ schema: color, style: 'deepObject' }, 'p[R]=100&p%5Bname%5D=a%5Bb', { R: 100, name: 'a[b' }],
  [{ schema: color, style: 'deepObject' }, 'p[X]=1', undefined],
  [{ schema: color, style: 'deepObject' }, 'p=1', undefined],
  [
    { schema: { type: 'object', properties: { ids: listOf(integer) } }, style: 'deepObject' },
    'p[ids]=1&p[ids][]=2',
    { ids: [1, 2] },
  ],
  [
    {
      schema: {
        type: 'object',
        properties: { at: { type: 'object', properties: { gte: integer } } },
      },
      style: 'deepObject',
    },
    'p[at][gte]=1',
    { at: { gte: 1 } },
  ],
  [{ schema: { type: 'object' }, style: 'deepObject' }, 'p[at]=5&p[at][gte]=1', undefined],
  [{ schema: { type: 'object' }, style: 'deepObject' }, 'p[at][gte]=1&p[at]=5', undefined],
  [{ schema: { type: 'object' }, style: 'deepObject' }, 'p[a][b]=1&p[a][b][c]=2', undefined],
  [{ schema: { type: 'object' }, style: 'deepObject' }, 'p[constructor]=a', { constructor: 'a' }],
  [{ style: 'deepObject', schema: { allOf: [color] } }, 'p[R]=1', { R: 1 }],
  // delimited
  [{ schema: listOf(text), style: 'spaceDelimited', explode: false }, 'p=a%20b+c', ['a', 'b', 'c']],
  [{ schema: color, style: 'spaceDelimited', explode: false }, 'p=R%201%20G%202', { R: 1, G: 2 }],
  [
    { schema: listOf(text), style: 'pipeDelimited', explode: false },
    'p=a|b%7Cc,d',
    ['a', 'b', 'c,d'],
  ],
  [{ schema: color, style: 'pipeDelimited', explode: false }, 'p=R|1|G|2', { R: 1, G: 2 }],
  // content
  [{ content: { 'application/json': { schema: color } } }, 'p=%7B%22R%22%3A1%7D', { R: 1 }],
  [{ content: { 'application/json': { schema: color } } }, 'p={"R":"1"}', undefined],
  [{ content: { 'application/json': { schema: color } } }, 'p={', undefined],
  [{ content: { 'application/vnd.a+json': {} } }, 'p=[1]', [1]],
  [{ content: { 'text/plain': { schema: text } } }, 'p=1', '1'],
  // empty values and null
  [{ schema: text }, 'p=', undefined],
  [{ schema: text, allowEmptyValue: true }, 'p=', ''],
  [{ schema: text, allowEmptyValue: true }, 'p', ''],
  [{ schema: { ...integer, default: 5 }, allowEmptyValue: true }, 'p=', 5],
  [{ schema: { type: ['integer', 'null'] } }, 'p=', null],
  [{ schema: { type: ['integer', 'null'] } }, 'p=null', null],
  [{ schema: { type: ['integer', 'null'] } }, 'p=7', 7],
  [{ schema: { type: ['integer', 'null'] } }, 'p=x', undefined],
  [{ schema: { type: ['string', 'null'] } }, 'p=null', 'null'],
  [{ schema: { anyOf: [integer, { type: 'null' }] } }, 'p=7', 7],
  // several types
  [{ schema: { type: ['integer', 'string'] } }, 'p=7', 7],
  [{ schema: { type: ['integer', 'string'] } }, 'p=007', '007'],
  [{ schema: { type: ['integer', 'string'] } }, 'p=0x7', '0x7'],
  [{ schema: { type: ['integer', 'string'] } }, 'p=9007199254740993', '9007199254740993'],
  [{ schema: { type: ['integer', 'boolean'] } }, 'p=true', true],
  [{ schema: { type: ['integer', 'boolean'] } }, 'p=x', undefined],
  [{ schema: { oneOf: [{ ...integer, maximum: 9 }, text] } }, 'p=10', '10'],
  [{ schema: { oneOf: [text, listOf(text)] } }, 'p=a', 'a'],
  [{ schema: { oneOf: [text, listOf(text)] } }, 'p=a&p=b', ['a', 'b']],
  [{ schema: { oneOf: [{ enum: ['all'] }, listOf(integer)] } }, 'p=1', [1]],
  [{ schema: { oneOf: [{ enum: ['all'] }, listOf(integer)] } }, 'p=all', 'all'],
  [{ schema: { oneOf: [{ enum: ['all'] }, listOf(integer)] } }, 'p=b', undefined],
  [{ schema: { enum: [1, 2] } }, 'p=2', 2],
  [{ schema: { enum: [1, 2] } }, 'p=3', undefined],
  [{ schema: { const: true } }, 'p=true', true],
  [{ schema: { enum: [1, '2', null] } }, 'p=2', '2'],
  // numbers
  [{ schema: integer }, 'p=9007199254740992', 9007199254740992],
  [{ schema: integer }, 'p=9007199254740993', undefined],
  [{ schema: { ...integer, format: 'int64' } }, 'p=9223372036854775807', undefined],
  [{ schema: { ...text, format: 'int64' } }, 'p=9223372036854775807', '9223372036854775807'],
  [{ schema: number }, 'p=0.1000000000000000055511151231257827', undefined],
  [{ schema: listOf(integer), explode: false }, 'p=1,9007199254740993', undefined],
  // names
  [{ name: 'filter[name]', schema: text }, 'filter%5Bname%5D=a', 'a'],
  [{ name: 'a b', schema: text }, 'a+b=a', 'a'],
  [{ name: 'x-y.z', schema: text }, 'x-y.z=a', 'a'],
  [{ name: '__proto__', schema: text }, '__proto__=a', 'a'],
  [{ name: 'constructor', schema: listOf(text) }, 'constructor=a', ['a']],
  [{ name: 'p[]', schema: listOf(text) }, 'p[]=a&p%5B%5D=b', ['a', 'b']],
]

test('query parameters of every style and type have the value that is sent', async () => {
  const { get } = await startEcho(inQuery.map(([parameter]) => [parameter]))
  for (const [index, [{ name = 'p' }, sent, value]] of inQuery.entries()) {
    const { status, body } = await get(index, `?${sent}`)
    const received = new Map(Object.entries(body.query ?? {})).get(name)
    const expected = value === undefined ? [400, undefined] : [200, value]
    expect.soft([status, received], `${JSON.stringify(inQuery[index])}`).toEqual(expected)
  }
})

const inPath: readonly Row[] = [
  [{ schema: listOf(text), style: 'simple' }, 'a,b%2Cc', ['a', 'b,c']],
  [{ schema: listOf(integer) }, '1,2', [1, 2]],
  [{ schema: listOf(integer) }, '1,x', undefined],
  [{ schema: color }, 'R,1,name,a%2Cb', { R: 1, name: 'a,b' }],
  [{ schema: color, explode: true }, 'R=1,name=a%3Db', { R: 1, name: 'a=b' }],
  [
    {
      schema: {
        anyOf: [
          { ...integer, minimum: 0 },
          { ...text, format: 'uuid' },
        ],
      },
    },
    '7',
    7,
  ],
  [
    {
      schema: {
        anyOf: [
          { ...integer, minimum: 0 },
          { ...text, format: 'uuid' },
        ],
      },
    },
    '-7',
    undefined,
  ],
  [{ schema: { anyOf: [integer, { ...text, minLength: 3 }] } }, 'abc', 'abc'],
  [{ schema: integer, style: 'label' }, '.7', 7],
  [{ schema: integer, style: 'label' }, '7', undefined],
  [{ schema: listOf(text), style: 'label' }, '.a,b.c', ['a', 'b.c']],
  [{ schema: listOf(text), style: 'label', explode: true }, '.a.b%2Ec', ['a', 'b.c']],
  [{ schema: color, style: 'label', explode: true }, '.R=1.G=2', { R: 1, G: 2 }],
  [{ schema: color, style: 'label' }, '.R,1,G,2', { R: 1, G: 2 }],
  [{ schema: integer, style: 'matrix' }, ';p=7', 7],
  [{ schema: integer, style: 'matrix' }, '7', undefined],
  [{ schema: listOf(integer), style: 'matrix' }, ';p=1,2', [1, 2]],
  [{ schema: listOf(integer), style: 'matrix', explode: true }, ';p=1;p=2', [1, 2]],
  [{ schema: color, style: 'matrix' }, ';p=R,1,G,2', { R: 1, G: 2 }],
  [{ schema: color, style: 'matrix', explode: true }, ';R=1;G=2', { R: 1, G: 2 }],
  [{ schema: color, style: 'matrix', explode: true }, 'R=1;G=2', undefined],
  [{ schema: numbers, style: 'matrix', explode: true }, ';R=1;G=2', { R: 1, G: 2 }],
  [{ schema: numbers, style: 'matrix', explode: true }, ';R=1;G=x', undefined],
  [{ schema: numbers, style: 'label', explode: true }, '.R=1.G=2', { R: 1, G: 2 }],
  [{ schema: { type: 'object' }, style: 'matrix', explode: true }, ';a=1;b=x', { a: '1', b: 'x' }],
  [{ schema: either, style: 'matrix', explode: true }, ';R=1;G=2', { R: 1, G: 2 }],
  [{ schema: either, style: 'matrix', explode: true }, ';p=7', 7],
  [{ content: { 'application/json': { schema: color } } }, '%7B%22R%22%3A1%7D', { R: 1 }],
]

test('path parameters of every style and type have the value that is sent', async () => {
  const { get } = await startEcho(inPath.map(([parameter]) => [{ in: 'path', ...parameter }]))
  for (const [index, [, sent, value]] of inPath.entries()) {
    const { status, body } = await get(index, `/${sent}`)
    const expected = value === undefined ? [400, undefined] : [200, value]
    expect.soft([status, body.path?.['p']], `${JSON.stringify(inPath[index])}`).toEqual(expected)
  }
})

const inFields: readonly Row[] = [
  [{ in: 'header', name: 'X-P', schema: listOf(integer) }, '1, 2,3', [1, 2, 3]],
  [{ in: 'header', name: 'X-P', schema: listOf(integer) }, '1,x', undefined],
  [{ in: 'header', name: 'X-P', schema: color }, 'R,1,name,a', { R: 1, name: 'a' }],
  [{ in: 'header', name: 'X-P', schema: color, explode: true }, 'R=1,name=a', { R: 1, name: 'a' }],
  [{ in: 'header', name: 'X-P', schema: color, explode: true }, 'R=1, G=2', { R: 1, G: 2 }],
  [{ in: 'header', name: 'X-P', content: { 'application/json': {} } }, '{"a":[1]}', { a: [1] }],
  [{ in: 'header', name: 'X-P', schema: { type: ['boolean', 'string'] } }, 'true', true],
  [{ in: 'cookie', schema: listOf(integer) }, 'p=1; q=0; p=2', [1, 2]],
  [{ in: 'cookie', schema: listOf(integer) }, 'p=1&p=2', [1, 2]],
  [{ in: 'cookie', schema: listOf(text), explode: false }, 'p=a,b%2Cc', ['a', 'b,c']],
  [{ in: 'cookie', schema: color }, 'R=1; other=2; name=a%3Bb', { R: 1, name: 'a;b' }],
  [{ in: 'cookie', schema: color, explode: false }, 'p=R,1,G,2', { R: 1, G: 2 }],
  [{ in: 'cookie', style: 'cookie', schema: color }, 'R=1; other=2; name=a', { R: 1, name: 'a' }],
  [{ in: 'cookie', content: { 'application/json': {} } }, 'p=%7B%22a%22%3A1%7D', { a: 1 }],
  [{ in: 'cookie', schema: text }, 'p=a%', 'a%'],
  [{ in: 'cookie', schema: text }, 'p=a&b=c&d', 'a&b=c&d'],
]

test('headers and cookies of every style and type have the value that is sent', async () => {
  const { get } = await startEcho(inFields.map(([parameter]) => [parameter]))
  for (const [index, [parameter, sent, value]] of inFields.entries()) {
    const isCookie = parameter.in === 'cookie'
    const field: Readonly<Record<string, string>> = isCookie ? { Cookie: sent } : { 'X-P': sent }
    const { status, body } = await get(index, '', field)
    const received = isCookie ? body.cookies?.['p'] : body.headers?.['X-P']
    const expected = value === undefined ? [400, undefined] : [200, value]
    expect.soft([status, received], `${JSON.stringify(inFields[index])}`).toEqual(expected)
  }
})

test('a violation in a header is reported once, with the name of the member as it was sent', async () => {
  const schema = { type: 'object', properties: { maxPrice: integer }, required: ['minPrice'] }
  const { get } = await startEcho([[{ in: 'header', name: 'X-Filter', schema }]])
  const { status, body } = await get(0, '', { 'X-Filter': 'maxPrice,abc' })
  expect([status, body.details]).toEqual([
    400,
    [
      {
        path: '/headers/x-filter/maxPrice',
        message: 'must be an integer in plain decimal digits',
      },
      { path: '/headers/x-filter/minPrice', message: 'is missing' },
    ],
  ])
})

test('an error names the place of the item or the member', async () => {
  const { get } = await startEcho([
    [{ schema: listOf(integer), explode: false }],
    [{ schema: color, style: 'deepObject' }],
    [{ schema: color }],
    [{ content: { 'application/json': { schema: color } } }],
  ])
  for (const [index, sent, path, message] of [
    [0, 'p=1,x', '/query/p/1', 'must be an integer in plain decimal digits'],
    [0, 'p=9007199254740993', '/query/p/0', 'must not be beyond double precision'],
    [1, 'p[R]=x', '/query/p/R', 'must be an integer in plain decimal digits'],
    [1, 'p[X]=1', '/query/p/X', 'is not a known field'],
    [2, 'R=x', '/query/p/R', 'must be an integer in plain decimal digits'],
    [3, 'p={"R":"a"}', '/query/p/R', 'must be an integer'],
    [3, 'p={"R":}', '/query/p', "must be JSON; byte 5: a value was expected, not '}'"],
  ] as const) {
    const { status, body } = await get(index, `?${sent}`)
    expect.soft([status, body.details], sent).toEqual([400, [{ path, message }]])
  }
})

test('parameters of one name in several locations are apart', async () => {
  const parameters = ['path', 'query', 'header', 'cookie'].map((location) => {
    return { name: 'id', in: location, schema: integer }
  })
  const { get, call } = await startEcho([parameters])
  const values = { path: { id: 1 }, query: { id: 2 }, headers: { id: 3 }, cookies: { id: 4 } }
  const { body } = await get(0, '/1?id=2', { id: '3', Cookie: 'id=4' })
  expect(body).toEqual(values)
  const { headers, cookies } = values
  expect(await call(0, 1, { id: 2 }, { headers, cookies })).toEqual(values)
})

const texts = [
  'a',
  'a,b',
  'a b',
  'a|b',
  'a.b;c=d',
  '&=+%#?/[]',
  'ä€',
  '\u{1F43E}',
  '007',
  ' ',
  '__proto__',
]
/** What a header field can have: no separators, and no spaces around. */
const fieldTexts = ['a', 'a b', 'a|b.c;d', '%20', '007']

/** Returns random values of each type. */
function createValues(random: () => number, words: readonly string[]) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const word = () => pick(words)
  const list = (item: () => unknown) => [item(), ...(random() < 0.7 ? [item(), item()] : [])]
  const count = () => Math.floor(random() * 2e9) - 1e9
  return {
    text: word,
    integer: count,
    texts: () => list(word),
    integers: () => list(count),
    object: () => ({ n: count(), ...(random() < 0.5 && { s: word(), b: random() < 0.5 }) }),
  }
}

const object = { type: 'object', properties: { n: integer, s: text, b: boolean } }
const schemasOfValues = {
  text,
  integer,
  texts: listOf(text),
  integers: listOf(integer),
  object,
}
const stylesOf = {
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  path: ['simple', 'label', 'matrix'],
  header: ['simple'],
  cookie: ['form'],
}

/** Returns every combination of location, style, explode and kind of value that OpenAPI has. */
function listCombinations() {
  return Object.entries(stylesOf).flatMap(([location, styles]) =>
    styles.flatMap((style) =>
      [true, false].flatMap((explode) =>
        Object.entries(schemasOfValues).flatMap(([kind, schema]) => {
          const isDelimited = style.endsWith('Delimited')
          const isDefined =
            (style === 'deepObject' && kind === 'object') ||
            (isDelimited && schema.type === 'array') ||
            (isDelimited && kind === 'object' && !explode) ||
            !(style === 'deepObject' || isDelimited)
          const name = location === 'header' ? 'X-P' : 'p'
          return isDefined ? [{ name, in: location, style, explode, schema, kind }] : []
        }),
      ),
    ),
  )
}

test('the service reads each value that the client writes, in every style', async () => {
  const combinations = listCombinations()
  const { call } = await startEcho(combinations.map(({ kind: _, ...parameter }) => [parameter]))
  const random = createRandom(7)

  for (const [index, { kind, in: location, name, style, explode }] of combinations.entries()) {
    const isDelimited = style.endsWith('Delimited') && !explode
    const words = location === 'header' ? fieldTexts : texts
    const values = createValues(
      random,
      isDelimited ? words.filter((word) => !/[ |]/.test(word)) : words,
    )
    for (let round = 0; round < 8; round++) {
      const value = values[kind as keyof typeof values]()
      const given = {
        path: [value],
        query: [{ [name]: value }],
        header: [{ headers: { [name]: value } }],
        cookie: [{ cookies: { [name]: value } }],
      }[location]
      const place = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' }[location]
      const result = await call(index, ...(given ?? []))
      const what = `${location} ${style} ${explode} ${JSON.stringify(value)}`
      expect.soft(result, what).toMatchObject({ [place ?? '']: { [name]: value } })
    }
  }
})

test('JSON, null and nested values are read as the client writes them', async () => {
  const json = { 'application/json': {} }
  const nullable = { type: ['integer', 'null'] }
  const inner = { type: 'object', properties: { to: listOf(text), at: { type: 'object' } } }
  const { call } = await startEcho([
    [{ content: json }],
    [{ in: 'header', name: 'X-P', content: json }],
    [{ in: 'cookie', content: json }],
    [{ in: 'path', content: json }],
    [{ schema: nullable }],
    [{ schema: listOf(nullable), explode: false }],
    [{ schema: inner, style: 'deepObject' }],
    [{ schema: listOf({ type: 'object' }) }],
    [{ schema: text, allowReserved: true }],
  ])
  const value = { a: ['ä, "b"', null, 1.5, { c: '=;&' }] }
  expect(await call(0, { p: value })).toMatchObject({ query: { p: value } })
  expect(await call(1, { headers: { 'X-P': value } })).toMatchObject({ headers: { 'X-P': value } })
  expect(await call(2, { cookies: { p: value } })).toMatchObject({ cookies: { p: value } })
  expect(await call(3, value)).toMatchObject({ path: { p: value } })
  expect(await call(4, { p: null })).toMatchObject({ query: { p: null } })
  expect(await call(5, { p: [1, null, 2] })).toMatchObject({ query: { p: [1, null, 2] } })
  const deep = { to: ['a', 'b&c'], at: { x: '1', y: ']' } }
  expect(await call(6, { p: deep })).toMatchObject({ query: { p: deep } })
  expect(await call(7, { p: [{ a: 1 }, {}] })).toMatchObject({ query: { p: [{ a: 1 }, {}] } })
  expect(await call(8, { p: "/?:@!$'()*,;&+#" })).toMatchObject({ query: { p: "/?:@!$'()*,;&+#" } })
})

test('the client rejects an item that cannot be written in its style', async () => {
  const { call } = await startEcho([
    [{ schema: listOf(text), style: 'pipeDelimited', explode: false }],
    [{ in: 'header', name: 'X-P', schema: listOf(text) }],
  ])
  await expect(call(0, { p: ['a|b'] })).rejects.toThrow(TypeError)
  await expect(call(1, { headers: { 'X-P': ['a,b'] } })).rejects.toThrow(TypeError)
})
