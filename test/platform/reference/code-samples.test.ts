import { expect, test } from 'vitest'
import { codeSamples } from '../../../scripts/pipeline/code-samples.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import { usualBaseUrl, withBaseUrl } from '../../../server/docs/text/code-samples.ts'

const text = { type: 'string' }
const file = { ...text, format: 'binary' }
const album = {
  type: 'object',
  required: ['title', 'place'],
  properties: {
    title: { ...text, examples: ["Sea & 'sun'"] },
    place: { type: 'object', examples: [{ city: 'Rome' }] },
    note: text,
    cover: file,
    photos: { type: 'array', items: file },
  },
}
const login = { type: 'object', required: ['user', 'tags'] }
const note = {
  type: 'object',
  properties: { text: { ...text, minLength: 8 }, done: { type: 'boolean' } },
}
const ok = (content: object) => ({ responses: { 200: { description: 'Done.', content } } })
const body = (content: object) => ({ requestBody: { content }, ...ok({}) })
const description = readBundled({
  openapi: '3.2.0',
  info: { title: 'A', version: '1.0.0' },
  servers: [{ url: 'https://a.example/v1' }],
  paths: {
    '/albums': {
      post: {
        operationId: 'addAlbum',
        ...body({
          'multipart/form-data': {
            schema: album,
            encoding: { cover: { contentType: 'image/jpeg' } },
          },
        }),
      },
    },
    '/login': {
      post: {
        operationId: 'login',
        ...body({
          'application/x-www-form-urlencoded': {
            schema: { ...login, properties: { user: text, tags: { type: 'array' } } },
            example: { user: 'Ada', tags: ['a b', 'c'] },
          },
        }),
      },
    },
    '/image': { put: { operationId: 'setImage', ...body({ 'image/*': {} }) } },
    '/feed': {
      post: { operationId: 'addFeed', ...body({ 'application/xml': { example: '<a>1</a>' } }) },
    },
    '/note': {
      patch: {
        operationId: 'setNote',
        ...body({ 'application/merge-patch+json': { schema: note } }),
      },
      put: {
        operationId: 'writeNote',
        ...body({ 'text/plain': { schema: { ...text, minLength: 8 } } }),
      },
      post: {
        operationId: 'logIn',
        ...body({
          'application/x-www-form-urlencoded': {
            schema: {
              ...login,
              properties: { user: text, tags: { type: 'array' } },
              example: { user: 'Ada', tags: ['a'] },
            },
          },
        }),
      },
    },
    '/lines': {
      post: { operationId: 'addLines', ...body({ 'application/jsonl': { itemSchema: note } }) },
      put: { operationId: 'setFeed', ...body({ 'application/xml': {} }) },
    },
    '/union': {
      post: {
        operationId: 'addUnion',
        ...body({
          'application/jsonl': { itemSchema: { oneOf: [{ const: 'a' }, { const: 'b' }] } },
        }),
      },
    },
    '/any': { post: { operationId: 'addAny', ...body({ '*/*': { schema: note } }) } },
    '/events': { get: { operationId: 'watch', ...ok({ 'text/event-stream': {} }) } },
    '/search': {
      query: { operationId: 'search', ...body({ 'application/json': { example: { q: 'a' } } }) },
    },
  },
})

/** Returns the call in the sample of the client, and the sample of curl on one line. */
function samplesOf(operationId: string) {
  const samples = codeSamples(description)[operationId]
  const [client, curl] = (samples ?? []).map((sample) =>
    withBaseUrl(sample, usualBaseUrl(description)),
  )
  const code = String(client?.['source'])
  const call = /\n(?=(?:const response|for await)).*$/s.exec(code)?.[0] ?? ''
  return {
    readsFile: code.startsWith("import { openAsBlob } from 'node:fs'\n"),
    call: call.trim().replaceAll(/\s+/g, ' '),
    curl: String(curl?.['source']).replaceAll(' \\\n ', '').trim(),
  }
}

test('samples send forms, files, bytes and texts, and read streams', () => {
  expect(samplesOf('addAlbum')).toEqual({
    readsFile: true,
    call: `const response = await client.addAlbum({ title: "Sea & 'sun'", place: { city: 'Rome' }, cover: await openAsBlob('cover.jpg'), photos: [await openAsBlob('photos.bin')] }) console.log(response)`,
    curl: `curl -X POST 'https://a.example/v1/albums' -F 'title=Sea & '\\''sun'\\''' -F 'place={"city":"Rome"};type=application/json' -F 'cover=@cover.jpg;type=image/jpeg' -F 'photos=@photos.bin'`,
  })
  expect(samplesOf('login')).toEqual({
    readsFile: false,
    call: `const response = await client.login({ user: 'Ada', tags: [ 'a b', 'c' ] }) console.log(response)`,
    curl: `curl -X POST 'https://a.example/v1/login' --data-urlencode 'user=Ada' --data-urlencode 'tags=a b' --data-urlencode 'tags=c'`,
  })
  expect(samplesOf('setImage')).toEqual({
    readsFile: true,
    call: `const response = await client.setImage(await openAsBlob('file.png')) console.log(response)`,
    curl: `curl -X PUT 'https://a.example/v1/image' -H 'Content-Type: image/png' --data-binary '@file.png'`,
  })
  expect(samplesOf('addFeed')).toMatchObject({
    call: `const response = await client.addFeed('<a>1</a>') console.log(response)`,
    curl: `curl -X POST 'https://a.example/v1/feed' -H 'Content-Type: application/xml' --data-binary '<a>1</a>'`,
  })
  expect(samplesOf('watch')).toMatchObject({
    call: 'for await (const item of client.watch()) { console.log(item) }',
    curl: `curl -N -X GET 'https://a.example/v1/events'`,
  })
  expect(samplesOf('search').curl).toBe(
    `curl -X QUERY 'https://a.example/v1/search' -H 'Content-Type: application/json' -d '{"q":"a"}'`,
  )
})

test('samples have a body of the schema where the description has no example of it', () => {
  const made = '{"text":"textaaaa","done":true}'
  expect(samplesOf('setNote')).toMatchObject({
    call: `const response = await client.setNote({ text: 'textaaaa', done: true }) console.log(response)`,
    curl: `curl -X PATCH 'https://a.example/v1/note' -H 'Content-Type: application/merge-patch+json' -d '${made}'`,
  })
  expect(samplesOf('writeNote')).toMatchObject({
    call: `const response = await client.writeNote('textaaaa') console.log(response)`,
    curl: `curl -X PUT 'https://a.example/v1/note' -H 'Content-Type: text/plain' --data-binary 'textaaaa'`,
  })
  expect(samplesOf('logIn')).toMatchObject({
    call: `const response = await client.logIn({ user: 'Ada', tags: [ 'a' ] }) console.log(response)`,
    curl: `curl -X POST 'https://a.example/v1/note' --data-urlencode 'user=Ada' --data-urlencode 'tags=a'`,
  })
  expect(samplesOf('addLines')).toMatchObject({
    call: `const response = await client.addLines(new Blob(['${made}\\n'])) console.log(response)`,
    curl: `curl -X POST 'https://a.example/v1/lines' -H 'Content-Type: application/jsonl' --data-binary '${made}\n'`,
  })
  expect(samplesOf('addUnion').curl).toMatch(/--data-binary '"a"\n"b"\n'$/)
  expect(samplesOf('setFeed')).toMatchObject({
    readsFile: true,
    call: `const response = await client.setFeed(await (await openAsBlob('file.xml')).text()) console.log(response)`,
    curl: `curl -X PUT 'https://a.example/v1/lines' -H 'Content-Type: application/xml' --data-binary '@file.xml'`,
  })
  expect(samplesOf('addAny').curl).toBe(
    `curl -X POST 'https://a.example/v1/any' -H 'Content-Type: application/json' -d '${made}'`,
  )
})

test('samples in a text call the first server with a host, or the address of npm start', () => {
  const urlOf = (...urls: readonly string[]) => {
    const info = { title: 'A', version: '1.0.0' }
    const servers = urls.map((url) => ({ url }))
    return usualBaseUrl(readBundled({ openapi: '3.1.0', info, servers, paths: {} }))
  }
  expect(urlOf('/v1', 'https://a.example/v1')).toBe('https://a.example/v1')
  expect(urlOf('/v1')).toBe('http://127.0.0.1:3000/v1')
  expect(urlOf()).toBe('http://127.0.0.1:3000')
})
