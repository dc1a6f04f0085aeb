import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'

const gigabyte = 1_000_000_000
const chunk = Buffer.alloc(100_000, 'a')
const program = new URL('support/upload-server.ts', import.meta.url).pathname

/** Starts a service in a process of its own, with a folder of its own for temporary files. */
async function startServer() {
  const folder = createTemporaryFolder()
  const database = `sqlite:${createTemporaryFolder()}/store.sqlite`
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, TMPDIR: folder, DATABASE_URL: database },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)
  const [line]: string[] = await Promise.race([once(lines, 'line'), once(child, 'exit')])
  const { origin, key }: UncheckedJson = JSON.parse(line ?? '')
  return { child, folder, origin: String(origin), auth: { Authorization: `Bearer ${key}` } }
}

type Server = Awaited<ReturnType<typeof startServer>>

async function takePeak({ origin, auth }: Server): Promise<number> {
  const { peak }: UncheckedJson = await (await fetch(`${origin}/v1/peak`, { headers: auth })).json()
  return peak
}

/** The kinds of an upload: its media type, and what is before and after its bytes. */
const kinds = {
  bytes: { type: 'application/octet-stream', head: '', tail: '' },
  multipart: {
    type: 'multipart/form-data; boundary=b',
    head: '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
    tail: '\r\n--b--\r\n',
  },
}

type Kind = keyof typeof kinds

interface Upload {
  readonly kind: Kind
  readonly size: number
  readonly isChunked?: boolean
}

/** Begins an upload; returns the request, and how many bytes were sent. */
function beginUpload(
  { origin, auth }: Server,
  limit: string,
  { kind, size, isChunked = true }: Upload,
) {
  const { type, head, tail } = kinds[kind]
  const length = isChunked ? {} : { 'Content-Length': head.length + size + tail.length }
  const headers = { ...auth, 'Content-Type': type, ...length }
  const path = `/v1/${limit}/${kind}`
  const outgoing = request(origin + path, { method: 'POST', headers, agent: false })
  const sent = { bytes: 0 }
  async function* content() {
    yield Buffer.from(head)
    for (; sent.bytes < size; sent.bytes += chunk.length) {
      yield chunk
    }
    yield Buffer.from(tail)
  }
  // The service may close the connection before the end.
  const isSent = pipeline(Readable.from(content(), { highWaterMark: 1 }), outgoing).catch(
    () => undefined,
  )
  return { outgoing, sent, isSent }
}

async function upload(server: Server, limit: string, kind: Upload) {
  const { outgoing, sent } = beginUpload(server, limit, kind)
  const [response]: IncomingMessage[] = await once(outgoing, 'response')
  const body = response === undefined ? undefined : await json(response)
  return { status: response?.statusCode, body, sent: sent.bytes }
}

const each = ['bytes', 'multipart'] as const

test.for(each)(
  'an upload of 1 GB as %s takes at most 30 MB of memory, and leaves nothing',
  async (kind) => {
    const server = await startServer()
    // What the first requests load, and the buffers of a connection.
    await upload(server, 'large', { kind, size: 20_000_000 })
    await takePeak(server)
    const before = await takePeak(server)
    const { status, body } = await upload(server, 'large', { kind, size: gigabyte })
    const after = await takePeak(server)
    expect([status, body]).toEqual([200, { size: gigabyte }])
    expect((after - before) / 1e6).toBeLessThan(30)
    expect(readdirSync(server.folder)).toEqual([])
    expect(await deletedFiles(server)).toEqual([])
  },
)

test.for(each)('an upload of 1 GB as %s is 413 by its length, before it is read', async (kind) => {
  const server = await startServer()
  const { status } = await upload(server, 'small', { kind, size: gigabyte, isChunked: false })
  expect(status).toBe(413)
})

test.for(each)('kill -9 in the middle of an upload as %s leaves nothing', async (kind) => {
  const server = await startServer()
  const { sent, isSent } = beginUpload(server, 'large', { kind, size: gigabyte })
  await expect.poll(() => sent.bytes, { timeout: 60_000 }).toBeGreaterThan(50_000_000)
  if (kind === 'multipart') {
    expect(await deletedFiles(server)).toHaveLength(1)
  }
  expect(readdirSync(server.folder)).toEqual([])
  server.child.kill('SIGKILL')
  await Promise.all([once(server.child, 'exit'), isSent])
  expect(readdirSync(server.folder)).toEqual([])
})

/** Returns the files without a name that a process has open; none where the system does not show them. */
async function deletedFiles({ child, folder }: Server): Promise<readonly string[]> {
  const open = `/proc/${child.pid}/fd`
  const names = await readdir(open).catch(() => [])
  const files = await Promise.all(names.map((name) => readlink(`${open}/${name}`).catch(() => '')))
  return files.filter((file) => file.startsWith(folder))
}
