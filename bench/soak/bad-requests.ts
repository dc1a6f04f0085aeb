import { fieldsOf, type Kind, type Means, pick } from './kind.ts'
import { sendWildBytes } from './wild-bytes.ts'

const bodies = [
  ...['', '{', '[]', 'null', '"a"', '{"name":"Rex"}', '{"name":"","categoryId":1}'],
  ...['{"name":"Rex","categoryId":"1"}', '{"name":"Rex","categoryId":1.5}'],
  ...['{"name":"Rex","categoryId":1,"status":"lost"}', '{"name":"Rex","categoryId":1,"x":1}'],
  ...['{"name":"a","name":"b","categoryId":1}', '{"name":"\\ud800","categoryId":1}'],
  ...['['.repeat(2_000), `{"name":"${'a'.repeat(200_000)}","categoryId":1}`],
] as const
const paths = [
  ...['/pets?limit=0', '/pets?limit=1000', '/pets?limit=a', '/pets?status=lost'],
  ...['/pets?cursor=none', '/pets?limit=1&limit=2', '/pets?other=1', '/pets/0', '/pets/a'],
  ...['/nothing', '/pets/1/2', '/pets/%2e%2e', '/pets/99999999999999', '/%zz'],
] as const

/** What a service has to refuse, and what leaves it in the middle. */
export function badRequests({ baseUrl, apiKey, random, send }: Means): readonly Kind[] {
  const { key, json } = fieldsOf(apiKey)
  const port = Number(new URL(baseUrl).port)
  const post = { method: 'POST', path: '/pets' }
  const typed = () => ({ ...key, 'Content-Type': pick(random, ['text/xml', `a/${random()}`]) })
  const wrong = () => ({
    Authorization: `Bearer ask_${String(random()).slice(2)}${'a'.repeat(20)}`,
  })
  const method = () => pick(random, ['PUT', 'DELETE', 'PATCH', 'TRACE'])
  return [
    {
      name: 'bad: body',
      weight: 8,
      run: () => send({ ...post, headers: json, body: pick(random, bodies) }),
    },
    {
      name: 'bad: path or query',
      weight: 6,
      run: () => send({ path: pick(random, paths), headers: key }),
    },
    {
      name: 'bad: method',
      weight: 2,
      run: () => send({ path: '/pets', method: method(), headers: key }),
    },
    {
      name: 'bad: media type',
      weight: 2,
      run: () => send({ ...post, headers: typed(), body: '<a/>' }),
    },
    { name: 'bad: no key', weight: 2, run: () => send({ path: '/pets' }) },
    { name: 'bad: wrong key', weight: 3, run: () => send({ path: '/pets', headers: wrong() }) },
    {
      name: 'wild: leaves in the middle',
      weight: 2,
      run: () => send({ path: '/pets?limit=100', headers: key }, random() * 3),
    },
    { name: 'wild: bytes that are no HTTP', weight: 4, run: () => sendWildBytes(port, random) },
  ]
}
