import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { visit } from '../../../helpers/browser/visit.ts'
import { bundle } from '../../../helpers/client-package/bundle.ts'
import { install, run } from '../../../helpers/client-package/consumer.ts'
import { checkTypes } from '../../../helpers/client-package/type-check.ts'
import { needCommand, project } from '../../../helpers/program.ts'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'
import { bytes, exchanged, image, startGallery } from './support/gallery.ts'
import { startPageServer } from './support/page-server.ts'

const page = await startPageServer()
const { baseUrl, apiKey, folder: gallery, values } = await startGallery(page.origin)
const { album, note } = exchanged
const fileName = album.cover.name

test('curl uploads bytes and files, downloads, sends forms and reads events', async (context) => {
  const curl = needCommand(context, 'curl')
  const folder = createTemporaryFolder()
  const file = join(folder, fileName)
  await writeFile(file, bytes)
  const send = (path: string, ...options: readonly string[]) =>
    run(curl, ['--silent', '--show-error', '--fail', ...options, `${baseUrl}${path}`], folder)
  const auth = ['--header', `Authorization: Bearer ${apiKey}`]
  const json = async (path: string, ...options: readonly string[]): Promise<unknown> =>
    JSON.parse(await send(path, ...auth, ...options))

  const type = ['--header', 'Content-Type: image/png']
  expect(await json('/images/curl', ...type, '--upload-file', file)).toEqual(image)
  const chunked = ['--header', 'Transfer-Encoding: chunked']
  expect(await json('/images/curl', ...type, ...chunked, '--upload-file', file)).toEqual(image)

  const downloaded = join(folder, 'downloaded.png')
  await send('/images/curl', ...auth, '--output', downloaded)
  expect(
    createHash('sha256')
      .update(await readFile(downloaded))
      .digest('hex'),
  ).toBe(image.sha256)

  const parts = [`title=${album.title}`, `year=${album.year}`, `cover=@${file};type=image/png`]
  const pages = album.pages.map(() => `pages=@${file};type=image/png`)
  const fields = [...parts, ...pages].flatMap((part) => ['--form', part])
  expect(await json('/albums', ...fields)).toEqual(album)

  const tags = note.tags.flatMap((tag) => ['--data', `tags=${tag}`])
  const form = ['--data-urlencode', `text=${note.text}`, '--data', `stars=${note.stars}`, ...tags]
  expect(await json('/notes', ...form)).toEqual(note)

  const events = (...numbers: readonly number[]) =>
    numbers.map((n) => `id: ${n}\nretry: 50\ndata: {"n":${n}}\n\n`).join('')
  expect(await send('/ticks', '--no-buffer')).toBe(events(1, 2, 3))
  expect(await send('/ticks', '--header', 'Last-Event-ID: 3')).toBe(events(4, 5))
})

/** A script of a page that sends what `exchanged` has with `work`, and keeps what that resolves with. */
function createScript(imports: string, work: string): string {
  return `${imports}
${values}
async function digest(data) {
  const hash = await crypto.subtle.digest('SHA-256', await new Response(data).arrayBuffer())
  return new Uint8Array(hash).toHex()
}
async function work() { ${work} }
globalThis.result = work().catch((error) => String(error.stack))`
}

/** Bundles a script, and runs it in a page of another origin than the service; returns its result. */
async function runInPage(
  context: Parameters<typeof visit>[0],
  imports: string,
  work: string,
): Promise<unknown> {
  page.show(await bundle(createTemporaryFolder(), createScript(imports, work)))
  const { page: visited, errors } = await visit(context)
  await visited.goto(page.origin)
  const result = await visited.evaluate('globalThis.result')
  expect(errors).toEqual([])
  return result
}

test('the client in a page of another origin uploads, downloads, sends forms and reads events', async (context) => {
  const imports = `import { createGallery } from '${gallery}/client/dist/index.js'`
  const work = `
  const gallery = createGallery({ baseUrl, apiKey })
  const sent = await gallery.putImage('client', blob)
  const whole = await gallery.getImage('client')
  const stream = await gallery.getImage('client').stream()
  const form = new FormData()
  form.append('title', title)
  form.append('year', year)
  for (const name of ['cover', 'pages', 'pages']) form.append(name, image)
  const ticks = []
  for await (const { data } of gallery.watchTicks()) ticks.push(data.n)
  for await (const { data } of gallery.watchTicks({}, { lastEventId: '3' })) ticks.push(data.n)
  return {
    image: sent,
    download: await digest(whole),
    type: whole.type,
    stream: await digest(stream),
    album: await gallery.addAlbum({ title, year, cover: image, pages: [image, image] }),
    formData: await gallery.addAlbum(form),
    note: await gallery.addNote(note),
    ticks,
  }`
  expect(await runInPage(context, imports, work)).toEqual({
    ...exchanged,
    type: 'image/png',
    stream: image.sha256,
    formData: album,
    ticks: [1, 2, 3, 4, 5],
  })
})

test('fetch, FormData and EventSource in a page of another origin upload, download, send forms and read events', async (context) => {
  const work = `
  const headers = { Authorization: 'Bearer ' + apiKey }
  async function send(path, method, body) {
    const response = await fetch(baseUrl + path, { method, body, headers })
    return response.json()
  }
  const form = new FormData()
  form.append('title', title)
  form.append('year', year)
  for (const name of ['cover', 'pages', 'pages']) form.append(name, image)
  const { text, stars, tags } = note
  const fields = new URLSearchParams([['text', text], ['stars', stars], ...tags.map((tag) => ['tags', tag])])
  const sent = await send('/images/page', 'PUT', blob)
  const download = await (await fetch(baseUrl + '/images/page', { headers })).blob()
  const ticks = await new Promise((resolve) => {
    const received = []
    const source = new EventSource(baseUrl + '/ticks')
    source.onmessage = ({ data }) => {
      received.push(JSON.parse(data).n)
      if (received.length === 5) {
        source.close()
        resolve(received)
      }
    }
  })
  return {
    image: sent,
    download: await digest(download),
    type: download.type,
    album: await send('/albums', 'POST', form),
    note: await send('/notes', 'POST', fields),
    ticks,
  }`
  expect(await runInPage(context, '', work)).toEqual({
    ...exchanged,
    type: 'image/png',
    // The service ends a connection after three events: the others come after a reconnection.
    ticks: [1, 2, 3, 4, 5],
  })
})

/** Compiler options that the code of openapi-ts compiles with. */
const usual = {
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
}

test('a client that openapi-ts has generated uploads, downloads, sends forms and reads events, and its types compile', async () => {
  const folder = createTemporaryFolder()
  const program = `import { client } from './src/client.gen.ts'
import { addAlbum, addNote, getImage, putImage, watchTicks } from './src/sdk.gen.ts'

${values}
client.setConfig({ baseUrl, auth: apiKey })

async function digest(data: Blob): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await data.arrayBuffer())
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const throwOnError = true
const path = { name: 'generated' }
const sent = await putImage({ path, body: blob, throwOnError })
const received = await getImage({ path, parseAs: 'blob', throwOnError })
const body = { title, year, cover: image, pages: [image, image] }
const album = await addAlbum({ body, throwOnError })
const added = await addNote({ body: note, throwOnError })

const ticks: unknown[] = []
const { stream } = await watchTicks()
for await (const tick of stream) {
  ticks.push(tick)
}
console.log(JSON.stringify({
  image: sent.data,
  download: await digest(received.data),
  album: album.data,
  note: added.data,
  ticks,
}))
`
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await install(folder, '@hey-api/openapi-ts@0.99', 'typescript@5.9')
  const generator = join(folder, 'node_modules/.bin/openapi-ts')
  await run(
    generator,
    ['--input', join(gallery, 'generated/openapi.json'), '--output', 'src'],
    folder,
  )
  const compiler = join(project, 'node_modules/typescript7/bin/tsc')
  await checkTypes(folder, compiler, { 'program.ts': program }, [[usual, ['program.ts']]])

  await writeFile(join(folder, 'bundled.js'), await bundle(folder, "import './program.ts'"))
  const output = await run(process.execPath, ['bundled.js'], folder)
  expect(JSON.parse(output)).toEqual({ ...exchanged, ticks: [1, 2, 3].map((n) => ({ n })) })
})
