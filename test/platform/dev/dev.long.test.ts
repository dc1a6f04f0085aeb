import { appendFile, cp, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { basePath } from '../../../generated/operations.ts'
import { exchangeBytes } from '../../helpers/raw.ts'
import { generateIn } from '../drift/support/compiling.ts'
import { createProjectCopy, editSpec } from '../drift/support/project-copy.ts'
import { atKey, locate, remove, set } from '../pipeline/support/spec-edit.ts'
import { changeLimit, limitIn, shareLoop, startLoopIn } from './support/dev-loop.ts'

const handlers = 'server/animals/handlers.ts'
const spec = 'spec/openapi.yaml'
const newVersion = set('info version', '99.0.0')
const end = / {2}\d+\.\d\d s: .*\n/
const { copy, loop, original, change, changeSpec, blockAfter, restore } = shareLoop()
const patiently = { timeout: 120_000, interval: 50 }

async function status(path: string): Promise<number> {
  return (await loop().send(path)).status
}

const highest = () => limitIn(original())

test('a breaking change is reported with the right version, too', async () => {
  const block = await blockAfter(() => changeSpec(changeLimit(-1), newVersion), end)
  expect(block).toMatch(/^ {2}breaking +\S.*limit/m)
  expect(block).not.toContain('is needed')
})

test('of many lint errors the first eight are printed, with those of our own rules', async () => {
  const unknown = Array.from({ length: 12 }, (_, index) => set(`info unknown${index}`, 1))
  const block = await blockAfter(
    () => changeSpec(remove('paths /pets get responses 200 headers Link'), ...unknown),
    end,
  )
  expect(block.match(/^ {2}spec /gm)).toHaveLength(8)
  expect(block).toMatch(/and \d+ more, which \/studio shows/)
  await restore()
  const single = await blockAfter(
    () => changeSpec(remove('paths /pets get responses 200 headers Link')),
    end,
  )
  expect(single).toMatch(/^ {2}spec +spec\/openapi\.yaml:\d+:\d+ service\/\S+ /m)
})

test('a header that the responses of the service violate is reported at its line, and served', async () => {
  const header = 'components headers X-RateLimit-Reset'
  let text = ''
  const save = async () => {
    text = await changeSpec(set(`${header} schema maximum`, 100), set(`${header} example`, 60))
  }
  const block = await blockAfter(save, /service-responses/)
  const { line } = locate(text, atKey(`${header} schema`))
  expect(block).toMatch(
    new RegExp(`^  spec +spec/openapi\\.yaml:${line}:\\d+ service-responses the header`, 'm'),
  )
  expect(await status('/pets')).toBe(200)
})

test.for([
  ['an empty file', ''],
  ['a file that is not YAML', 'openapi: ['],
  ['another document', 'a: 1\n'],
])('%s does not stop the loop', async ([, text = '']) => {
  const block = await blockAfter(() => change(spec, () => text), end)
  expect(block.match(/^ {2}spec +spec\/openapi\.yaml:\d+:\d+ /gm)).toHaveLength(1)
  expect(await status('/pets')).toBe(200)
})

test('a renamed parameter is reported at the line of the handler that reads it', async () => {
  const block = await blockAfter(
    () => changeSpec(set('components parameters Limit name', 'size')),
    end,
  )
  const [, file = '', line] = /^ {2}code +(server\/\S+):(\d+):\d+ .*limit/m.exec(block) ?? []
  const code = (await readFile(join(copy(), file), 'utf8')).split('\n')[Number(line) - 1]
  expect(code).toContain('limit')
})

test('a service that exits again and again is restarted after the next save', async () => {
  const exit = '\nsetTimeout(() => process.exit(3), 300)\n'
  const block = await blockAfter(
    () => change(handlers, (text) => text + exit),
    /It ends again and again \(status 3\)/,
  )
  expect(block).toContain('The service ended by itself (status 3)')
  await restore()
  expect(await status('/pets')).toBe(200)
})

test('a service that is killed is restarted, and requests wait for it', async () => {
  const write = `
import { writeFileSync } from 'node:fs'
writeFileSync('data/service.pid', String(process.pid))
`
  await blockAfter(() => change(handlers, (text) => text + write), end)
  const from = loop().printed().length
  process.kill(Number(await readFile(join(copy(), 'data/service.pid'), 'utf8')), 'SIGKILL')
  await loop().prints(/The service ended by itself \(SIGKILL\)/, from)
  expect(await Promise.all([status('/pets'), status('/pets')])).toEqual([200, 200])
})

test.for([
  ['two hosts', 'GET /pets HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['no HTTP', 'HELLO\r\n\r\n'],
  [
    'two lengths',
    'POST /pets HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  ],
] as const)('a malformed request with %s is rejected as by npm start', async ([, bytes]) => {
  const { status, body } = await exchangeBytes(loop().origin, bytes)
  expect([status, JSON.parse(body).code]).toEqual([400, 'bad_request_framing'])
})

test('responses of the service are unchanged: HEAD, 401, 100 Continue', async () => {
  const { origin, apiKey, send } = loop()
  const head = await send('/pets', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  const missing = await fetch(`${origin}${basePath}/pets`)
  expect([missing.status, missing.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer'])
  const { text } = await exchangeBytes(
    origin,
    `POST ${basePath}/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\n` +
      'Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  )
  expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 Bad Request\r\n/)
})

test('a file that is renamed over the spec, and two saves in a moment, are noticed', async () => {
  const file = join(copy(), spec)
  const lower = await changeSpec(changeLimit(-2))
  await change(spec, () => original())
  await writeFile(`${file}.new`, lower)
  await rename(`${file}.new`, file)
  await expect.poll(() => status(`/pets?limit=${highest() - 1}`), patiently).toBe(400)

  await change(spec, () => '')
  await change(spec, () => original())
  await changeSpec(changeLimit(3))
  await expect.poll(() => status(`/pets?limit=${highest() + 3}`), patiently).toBe(200)
  expect(await status(`/pets?limit=${highest() + 4}`)).toBe(400)
})

test('what was generated by hand before the save is served, too', async () => {
  const other = await createProjectCopy()
  const text = await editSpec(other, changeLimit(-3))
  expect(await generateIn(other)).toEqual([])
  await cp(join(other, 'generated'), join(copy(), 'generated'), { recursive: true })
  await change(spec, () => text)
  await expect.poll(() => status(`/pets?limit=${highest() - 2}`), patiently).toBe(400)
})

test('a second loop does not truncate the log of the first; without a simple GET it prints no curl command', async () => {
  const log = join(copy(), 'data/dev-service.log')
  await appendFile(log, 'of the first\n')
  const other = await createProjectCopy()
  const owner = { name: 'owner', in: 'query', required: true, schema: { type: 'string' } }
  await editSpec(other, (description) => {
    for (const [path, item] of Object.entries<{ get?: object }>(description.toJS().paths)) {
      if (item.get === undefined) continue
      const parameters = 'parameters' in item.get ? Object(item.get.parameters) : []
      const added = { ...owner, description: 'The owner.', example: 'me' }
      description.setIn(['paths', path, 'get', 'parameters'], [...parameters, added])
    }
  })
  const env = { DATABASE_URL: 'sqlite::memory:' }
  const [second, third] = await Promise.all([startLoopIn(copy(), env), startLoopIn(other, env)])
  onTestFinished(() => void [second, third].map(({ end }) => end('SIGKILL')))
  expect(third.printed()).not.toContain('curl')
  expect((await third.send('/pets?owner=me')).status).toBe(200)
  expect(await readFile(log, 'utf8')).toContain('of the first\n')
})
