import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { UploadedFile } from '../../../server/contract/content.ts'
import type { CallableHandler } from '../../../server/contract/handler.ts'
import { openSocket } from '../../helpers/raw.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { startWithBody } from './support/body-service.ts'

const multipart = 'multipart/form-data'
const binary = { type: 'string', format: 'binary' }
const form = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', maxLength: 5 },
    count: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    point: { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] },
    points: { type: 'array', items: { type: 'object', properties: { x: { type: 'integer' } } } },
    photo: { ...binary, 'x-max-bytes': 100_000 },
    pages: { type: 'array', items: binary, minItems: 2, maxItems: 3 },
  },
  additionalProperties: false,
}
const encoding = { photo: { contentType: 'image/png, image/gif' } }
const content = { [multipart]: { schema: form, encoding } }

const disposition = 'Content-Disposition: form-data; '
const part = (head: string, text = '1') => `--b\r\n${disposition}${head}\r\n\r\n${text}\r\n`
const title = part('name="title"', 'a')
const photo = (fileName: string, text = 'x', type = 'image/png') =>
  part(`name="photo"; ${fileName}\r\nContent-Type: ${type}`, text)
const page = (text: string) => part('name="pages"; filename="p"', text)
const end = '--b--\r\n'

type Service = Awaited<ReturnType<typeof startWithBody>>

/** Sends content as it is; returns the response as one object. */
async function ask({ send }: Service, text: string, type = `${multipart}; boundary=b`) {
  const headers = { 'Content-Type': type }
  const body = Buffer.from(text)
  const response = await send('/v1/body', { method: 'POST', headers, body })
  const json: UncheckedJson = await response.json()
  return { ...json, status: response.status }
}

const uploads = () => readdirSync(tmpdir()).filter((name) => name.startsWith('upload-'))

test('each part is read by the schema of its field', async () => {
  const service = await startWithBody(content)
  const fields =
    part('name="count"\r\nContent-Transfer-Encoding: 8bit', '7') +
    part('name="tags"', 'b,c') +
    part('name="tags"', '')
  const json = part('name="point"\r\nContent-Type: application/json', '{"x":1}')
  const list = part('name="points"', '{"x":1}') + part('name="points"', '{"x":2}')
  const files = photo('filename="a.png"') + page('') + page('2')
  const { status, body } = await ask(service, `${title}${fields}${json}${list}${files}${end}`)
  const file = { mediaType: 'application/octet-stream', name: 'p' }
  expect([status, body]).toEqual([
    200,
    {
      title: 'a',
      count: 7,
      tags: ['b,c', ''],
      point: { x: 1 },
      points: [{ x: 1 }, { x: 2 }],
      photo: { name: 'a.png', mediaType: 'image/png', size: 1, text: 'x' },
      pages: [
        { ...file, size: 0, text: '' },
        { ...file, size: 1, text: '2' },
      ],
    },
  ])
})

test('fields that only one of the alternatives of a form has are read by their schemas', async () => {
  const counted = { type: 'object', properties: { count: { type: 'integer' } } }
  const shown = { type: 'object', properties: { photo: binary } }
  for (const keyword of ['anyOf', 'oneOf']) {
    const schema = {
      type: 'object',
      [keyword]: [
        { ...counted, required: ['count'] },
        { ...shown, required: ['photo'] },
      ],
    }
    const service = await startWithBody({ [multipart]: { schema } })
    const { status, body } = await ask(service, part('name="count"', '7') + end)
    expect([status, body], keyword).toEqual([200, { count: 7 }])
  }
})

test('a form of a browser and of fetch is read, with a file that is too large for the memory', async () => {
  const service = await startWithBody(content)
  const body = new FormData()
  body.append('title', 'é"\r\n')
  body.append('photo', new File(['a'.repeat(70_000)], 'é"\n.png', { type: 'image/png' }))
  body.append('pages', new Blob(['1']))
  body.append('pages', new Blob(['b'.repeat(80_000)]))
  body.append('pages', new Blob(['c'.repeat(66_000)]))
  const response = await service.send('/v1/body', { method: 'POST', body })
  expect(await response.json()).toMatchObject({
    body: {
      title: 'é"\r\n',
      photo: { name: 'é".png', size: 70_000, text: 'aaa… 70000' },
      pages: [{ text: '1' }, { text: 'bbb… 80000' }, { text: 'ccc… 66000' }],
    },
  })
  // A service of another test may be about to remove the name of a file.
  await expect.poll(uploads).toEqual([])
})

test('small files of a request are in memory up to 1 MB, and on the disk beyond it', async () => {
  const handler: CallableHandler = ({ body }, { respond }) => {
    const { files } = body as { readonly files: readonly UploadedFile[] }
    return respond(200, { kinds: files.map((file) => file.constructor.name) })
  }
  const schema = {
    type: 'object',
    properties: { files: { type: 'array', items: { type: 'string', format: 'binary' } } },
  }
  const limit = { maxBytes: 2_000_000, handler }
  const service = await startWithBody({ [multipart]: { schema } }, limit)
  const text = 'a'.repeat(60_000)
  const files = part('name="files"; filename="f"', text).repeat(20)
  const { kinds } = await ask(service, files + end)
  expect(kinds).toEqual([...Array(16).fill('FileInMemory'), ...Array(4).fill('FileOnDisk')])
})

/** Returns the first byte of a file, and stops reading it. */
async function firstByte(file: UploadedFile): Promise<number | undefined> {
  for await (const chunk of file.stream()) {
    const bytes: Buffer = chunk
    return bytes[0]
  }
  return undefined
}

test('files on the disk can be read again, also by a handler that has stopped reading one', async () => {
  const handler: CallableHandler = async ({ body }, { respond }) => {
    const { pages } = body as { readonly pages: readonly UploadedFile[] }
    const firstBytes = []
    for (const each of pages) {
      firstBytes.push(await firstByte(each))
    }
    const texts = await Promise.all(pages.map((each) => text(each.stream())))
    return respond(200, { firstBytes, texts })
  }
  const service = await startWithBody(content, { handler })
  const texts = ['a'.repeat(200_000), 'b'.repeat(70_000)]
  const pages = texts.map((each) => page(each)).join('')
  expect(await ask(service, title + pages + end)).toEqual({
    status: 200,
    firstBytes: [97, 98],
    texts,
  })
})

test('a handler that reads many files on the disk causes no warning', async () => {
  const warnings: Error[] = []
  const keepWarning = (warning: Error) => void warnings.push(warning)
  process.on('warning', keepWarning)
  onTestFinished(() => void process.off('warning', keepWarning))

  const handler: CallableHandler = async ({ body }, { respond }) => {
    const { files } = body as { readonly files: readonly UploadedFile[] }
    const texts = await Promise.all(files.map((each) => text(each.stream())))
    return respond(200, { lengths: texts.map((each) => each.length) })
  }
  const schema = { type: 'object', properties: { files: { type: 'array', items: binary } } }
  const service = await startWithBody({ [multipart]: { schema } }, { maxBytes: 2_000_000, handler })
  const files = part('name="files"; filename="f"', 'a'.repeat(70_000)).repeat(12)
  const { lengths } = await ask(service, files + end)
  expect(lengths).toEqual(Array(12).fill(70_000))
  expect(warnings).toEqual([])
})

test('a file on the disk is removed once the response is sent', async () => {
  let kept: UploadedFile | undefined
  const handler: CallableHandler = ({ body }, { respond }) => {
    kept = (body as { readonly photo: UploadedFile }).photo
    return respond(200, {})
  }
  const service = await startWithBody(content, { handler })
  await ask(service, title + photo('filename="a.png"', 'a'.repeat(70_000)) + end)
  const read = async () => {
    try {
      await kept?.stream().toArray()
      return 'read'
    } catch {
      return 'removed'
    }
  }
  await expect.poll(read).toBe('removed')
})

test('a client that leaves while its files are written leaves nothing in the log', async () => {
  const schema = { type: 'object', properties: { files: { type: 'array', items: binary } } }
  const handler: CallableHandler = (_input, { respond }) => respond(200, {})
  const options = { maxBytes: 2_000_000, handler }
  const service = await startWithBody({ [multipart]: { schema } }, options)
  // Those after the first megabyte are written one after the other, from what has arrived already.
  const file = (size: number) => part('name="files"; filename="f"', 'a'.repeat(size))
  const text = file(60_000).repeat(16) + file(39_995) + file(10).repeat(400)
  const type = `Content-Type: ${multipart}; boundary=b\r\nContent-Length: 1900000\r\n`
  const socket = openSocket(service.origin)
  socket.write(
    `POST /v1/body HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.apiKey}\r\n${type}\r\n`,
  )
  await new Promise((sent) => socket.write(text, sent))
  socket.destroy()
  await expect.poll(() => service.requestLines).toMatchObject([{ msg: 'request aborted' }])
  // It takes longer than what is left of the first one.
  expect(await ask(service, text + end)).toMatchObject({ status: 200 })
  expect(service.logged).toEqual([])
})

test('a file name has no folders and no control characters', async () => {
  const service = await startWithBody(content)
  const names = [
    ['filename="../../etc/passwd"', 'passwd'],
    ['filename="C:\\dir\\a.png"', 'a.png'],
    ['filename=".."', null],
    ['filename=""', null],
    ['filename="a\tb.png"', 'ab.png'],
    [`filename="${'a'.repeat(300)}"`, 'a'.repeat(255)],
    ['filename="x"; filename*=UTF-8\'\'%e2%82%ac.png', '€.png'],
    ['filename=plain.png', 'plain.png'],
  ] as const
  for (const [fileName, name] of names) {
    const { body } = await ask(service, title + photo(fileName) + end)
    expect(body?.photo?.name, fileName).toBe(name)
  }
})

const long = 'a'.repeat(1_000_000)
const file = (text: string) => page(text) + page(text)

/** Bodies that are rejected, with the status or the violation. */
const rejected: readonly (readonly [what: string, text: string, 400 | 413, string?])[] = [
  ['a file that is cut off', (title + photo('filename="a"', long)).slice(0, 90_000), 400],
  ['a field that is cut off', title.slice(0, -4), 400],
  ['no last boundary', title, 400],
  ['nothing but the last boundary', end, 400, '/body/title is missing'],
  ['a beginning only', '--b', 400],
  ['no boundary at all', 'hello', 400],
  ['newlines without returns', (title + end).replaceAll('\r\n', '\n'), 400],
  ['ten thousand parts', title + part('name="tags"').repeat(10_000) + end, 400],
  ['a name of 1 MB', part(`name="${'a'.repeat(990_000)}"`) + end, 400],
  ['a header of 1 MB', part(`name="title"\r\nX-A: ${'a'.repeat(990_000)}`) + end, 400],
  [
    'a header section of 9 kB that arrives whole',
    part(`name="title"\r\nX-A: ${'a'.repeat(9_000)}`) + end,
    400,
    '/body must be multipart/form-data; the header section of a part is longer than 8192 bytes',
  ],
  ['a line after a boundary', `--b more\r\n${title}${end}`, 400],
  ['a malformed header', part('name="title"\r\nnothing') + end, 400],
  ['a header that is folded', part('name="title"\r\n a: b') + end, 400],
  ['a header twice', part(`name="title"\r\n${disposition}name="a"`) + end, 400],
  [
    'a part in base64',
    title + part('name="photo"; filename="a"\r\nContent-Transfer-Encoding: base64', 'YQ==') + end,
    400,
    '/body must be multipart/form-data; a part has a Content-Transfer-Encoding other than 7bit, 8bit and binary',
  ],
  ['a part without headers', `--b\r\n\r\n1\r\n${end}`, 400],
  ['a part without a name', `--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n${end}`, 400],
  ['another disposition', `--b\r\nContent-Disposition: file; name="title"\r\n\r\n1\r\n${end}`, 400],
  ['a field twice', title + title + end, 400, '/body/title must be given once, not 2 times'],
  [
    'a file twice',
    title + photo('filename="a"') + photo('filename="a"') + end,
    400,
    '/body/photo must be given once',
  ],
  ['an unknown field', title + part('name="x"') + end, 400, '/body/x is not a known field'],
  [
    'an unknown file',
    title + part('name="x"; filename="y"') + end,
    400,
    '/body/x is not a known field',
  ],
  [
    'an inherited name',
    title + part('name="__proto__"') + end,
    400,
    '/body/__proto__ is not a known field',
  ],
  ['no title', photo('filename="a"') + end, 400, '/body/title is missing'],
  [
    'a long title',
    part('name="title"', 'abcdef') + end,
    400,
    '/body/title must have at most 5 characters',
  ],
  [
    'no number',
    title + part('name="count"', 'x') + end,
    400,
    '/body/count must be an integer in plain decimal digits',
  ],
  [
    'JSON without a member',
    title + part('name="point"', '{}') + end,
    400,
    '/body/point/x is missing',
  ],
  [
    'another JSON type',
    title + part('name="points"', '{"x":"a"}') + end,
    400,
    '/body/points/0/x must be an integer',
  ],
  ['one page', title + page('1') + end, 400, '/body/pages must have at least 2 items'],
  ['four pages', title + page('1').repeat(4) + end, 400, '/body/pages must have at most 3 items'],
  [
    'another type of a file',
    title + photo('filename="a"', 'x', 'image/bmp') + end,
    400,
    '/body/photo must be image/png or image/gif',
  ],
  [
    'another charset',
    part('name="title"\r\nContent-Type: text/plain; charset=latin1') + end,
    400,
    '/body/title must be UTF-8',
  ],
  ['a file beyond its limit', title + photo('filename="a"', 'a'.repeat(100_001)) + end, 413],
  ['files beyond the limit of all', title + file('a'.repeat(600_000)) + end, 413],
]

test.for(rejected)(
  'a multipart body with %s is rejected, and leaves nothing',
  async ([, text, status, violation]) => {
    const service = await startWithBody(content)
    const { details = [], ...error } = await ask(service, text)
    expect(error).toMatchObject({ status })
    const [{ path, message } = { path: '', message: '' }] = details
    if (violation !== undefined) {
      expect(`${path} ${message}`).toBe(violation)
    } else if (status === 400) {
      expect(`${path} ${message}`).toMatch(
        /^\/body must (?:be multipart\/form-data; |have at most)/,
      )
    }
    await expect.poll(uploads).toEqual([])
    expect(service.logged).toEqual([])
  },
)

test('a multipart body needs a boundary of at most 70 characters', async () => {
  const service = await startWithBody(content)
  for (const type of [
    multipart,
    `${multipart}; boundary=""`,
    `${multipart}; boundary=${'b'.repeat(71)}`,
  ]) {
    expect(await ask(service, title + end, type), type).toMatchObject({
      status: 400,
      details: [{ path: '/headers/content-type' }],
    })
  }
  const longest = 'b'.repeat(70)
  const text = (title + end).replaceAll('--b', `--${longest}`)
  expect(await ask(service, text, `${multipart}; boundary="${longest}"`)).toMatchObject({
    status: 200,
  })
})

test('a preamble, spaces after a boundary, and an epilogue are skipped, however the body is split', async () => {
  const service = await startWithBody(content)
  const text = `hello\r\n--b \t\r\n${title.slice(5)}${photo('filename="a"', '\r\n--c\r\n-')}--b--  \r\nbye`
  for (const size of [1, 2, 3, 7, 50]) {
    const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    const body = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) {
          controller.enqueue(Buffer.from(chunk))
        }
        controller.close()
      },
    })
    const headers = { 'Content-Type': `${multipart}; boundary=b` }
    const sent = { method: 'POST', headers, body, duplex: 'half' } as const
    const response = await service.send('/v1/body', sent)
    expect(await response.json(), `${size}`).toMatchObject({
      body: { title: 'a', photo: { text: '\r\n--c\r\n-' } },
    })
  }
})

test('an open form has parts that are not declared as texts, but no files', async () => {
  const service = await startWithBody({ [multipart]: { schema: { type: 'object' } } })
  const bodyless = `--b\r\n${disposition}name="y"\r\n\r\n`
  const { body } = await ask(service, title + bodyless + title.replace('title', 'z') + end)
  expect(body).toEqual({ title: 'a', y: '', z: 'a' })
  expect(await ask(service, part('name="x"; filename="y"') + end)).toMatchObject({
    details: [{ path: '/body/x', message: 'is not a known field' }],
  })
})
