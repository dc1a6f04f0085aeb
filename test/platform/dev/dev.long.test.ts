import { cp, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { basePath } from '../../../generated/operations.ts'
import { runInShell } from '../../helpers/program.ts'
import { exchangeBytes } from '../../helpers/raw.ts'
import { createProjectCopy, editSpec, generateIn } from '../drift/support/project-copy.ts'
import { atKey, type Edit, locate, remove, set } from '../pipeline/support/spec-edit.ts'
import { changeLimit, handlers, shareLoop, spec, startLoopIn } from './support/dev-loop.ts'

const { copy, loop, original, highest, change, changeSpec, blockAfter, restore } = shareLoop()
const patiently = { timeout: 120_000, interval: 50 }
const withoutLink = remove('paths /pets get responses 200 headers Link')

test('a breaking change is reported with the right version, too', async () => {
  const block = await blockAfter(() => changeSpec(changeLimit(-1), set('info version', '99.0.0')))
  expect(block).toMatch(/^ {2}breaking +\S.*limit/m)
  expect(block).not.toContain('is needed')
})

test('of many lint errors the first eight are printed, with those of our own rules', async () => {
  const unknown = Array.from({ length: 12 }, (_, index) => set(`info unknown${index}`, 1))
  const block = await blockAfter(() => changeSpec(withoutLink, ...unknown))
  expect(block.match(/^ {2}spec /gm)).toHaveLength(8)
  expect(block).toMatch(/and \d+ more, which \/studio shows/)
  await restore()
  const single = await blockAfter(() => changeSpec(withoutLink))
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
  expect(await loop().status('/pets')).toBe(200)
})

test('an empty file, one that is not YAML, and another document do not stop the loop', async () => {
  for (const text of ['', 'openapi: [', 'a: 1\n']) {
    const block = await blockAfter(() => change(spec, () => text))
    expect(block.match(/^ {2}spec +spec\/openapi\.yaml:\d+:\d+ /gm), text).toHaveLength(1)
    expect(await loop().status('/pets')).toBe(200)
  }
})

test('a service that exits again and again is restarted after the next save', async () => {
  const exit = '\nsetTimeout(() => process.exit(3), 300)\n'
  const block = await blockAfter(
    () => change(handlers, (text) => text + exit),
    /It ends again and again \(status 3\)/,
  )
  expect(block).toContain('The service ended by itself (status 3)')
  await restore()
  expect(await loop().status('/pets')).toBe(200)
})

test('a service that is killed is restarted, and requests wait for it', async () => {
  const write = `
import { writeFileSync } from 'node:fs'
writeFileSync('data/service.pid', String(process.pid))
`
  await blockAfter(() => change(handlers, (text) => text + write))
  const from = loop().said().length
  process.kill(Number(await readFile(join(copy(), 'data/service.pid'), 'utf8')), 'SIGKILL')
  await loop().says(/The service ended by itself \(SIGKILL\)/, from)
  expect(await Promise.all([loop().status('/pets'), loop().status('/pets')])).toEqual([200, 200])
})

test('responses of the service are unchanged: HEAD, 400, 401, 100 Continue', async () => {
  const { origin, apiKey, send } = loop()
  const head = await send('/pets', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  const missing = await fetch(`${origin}${basePath}/pets`)
  expect([missing.status, missing.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer'])
  for (const bytes of ['GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 'HELLO\r\n\r\n']) {
    const { status, body } = await exchangeBytes(origin, bytes)
    expect([status, JSON.parse(body).code]).toEqual([400, 'bad_request_framing'])
  }
  const { text } = await exchangeBytes(
    origin,
    `POST ${basePath}/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\n` +
      'Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  )
  expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 Bad Request\r\n/)
})

test('a file that is renamed over the spec, and two saves in a moment, are noticed', async () => {
  const { status } = loop()
  const file = join(copy(), spec)
  const lower = await changeSpec(changeLimit(-2))
  await change(spec, original)
  await writeFile(`${file}.new`, lower)
  await rename(`${file}.new`, file)
  await expect.poll(() => status(`/pets?limit=${highest() - 1}`), patiently).toBe(400)

  await change(spec, () => '')
  await change(spec, original)
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
  const status = () => loop().status(`/pets?limit=${highest() - 2}`)
  await expect.poll(status, patiently).toBe(400)
})

const renamed: Edit = (description) => {
  set('paths /pets get operationId', 'findPets')(description)
  set('paths /pets/{petId} get x-replaced-by operationId', 'findPets')(description)
}
const withoutSimpleGet: Edit = (description) => {
  const owner = { name: 'owner', in: 'query', required: true, schema: { type: 'string' } }
  for (const [path, { get }] of Object.entries<{ get?: object }>(description.toJS().paths)) {
    if (get === undefined) continue
    const parameters = 'parameters' in get ? Object(get.parameters) : []
    const added = { ...owner, description: 'The owner.', example: 'me' }
    description.setIn(['paths', path, 'get', 'parameters'], [...parameters, added])
  }
}

test('the curl command does not depend on the names of operations, and is left out without a simple GET', async () => {
  const [command, none] = await Promise.all(
    [renamed, withoutSimpleGet].map(async (edit) => {
      const other = await createProjectCopy()
      await editSpec(other, edit)
      const started = await startLoopIn(other, { DATABASE_URL: 'sqlite::memory:' })
      onTestFinished(() => void started.kill('SIGKILL'))
      return started
    }),
  )
  const [curl = ''] = /curl .+/.exec(command?.said() ?? '') ?? []
  expect((await runInShell(`${curl} --silent --include`)).output).toMatch(/^HTTP\/1.1 200 /)
  expect(none?.said()).not.toContain('curl')
  expect(await none?.status('/pets?owner=me')).toBe(200)
})
