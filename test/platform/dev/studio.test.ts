import { expect, onTestFinished, test } from 'vitest'
import { readEditorUrl } from '../../../scripts/dev/editor-url.ts'
import { isOwnHost, Studio } from '../../../scripts/dev/studio.ts'
import { sendBytes } from '../../helpers/raw.ts'

/** Serves a studio page on a free port; `ask` requests a path with a `Host`. */
async function startStudio() {
  const studio = new Studio(readEditorUrl(undefined))
  const url = await studio.listen('127.0.0.1', 0)
  onTestFinished(() => studio.stop())
  const { port } = new URL(url)
  return async (host: string, path = '/', method = 'GET') => {
    const fields = `Host: ${host.replace('PORT', port)}\r\nConnection: close\r\n`
    const lines = `${method} ${path} HTTP/1.1\r\n${fields}\r\n`
    return sendBytes(`http://127.0.0.1:${port}`, lines)
  }
}

test('the studio page is served under the names and addresses of the machine', async () => {
  const ask = await startStudio()
  for (const host of ['localhost:PORT', 'LocalHost:PORT', '127.0.0.1:PORT', '[::1]:PORT']) {
    expect((await ask(host)).status, host).toBe(200)
  }
  // Another machine, or a forwarded port.
  for (const host of ['192.168.1.5:PORT', 'localhost:8080', 'localhost']) {
    expect((await ask(host)).status, host).toBe(200)
  }
})

test('the studio page and its events are rejected under any other Host, as of DNS rebinding', async () => {
  const ask = await startStudio()
  for (const host of ['attacker.example:PORT', 'localhost.attacker.example', '127.0.0.1.nip.io']) {
    for (const path of ['/', '/events', '/studio.ts', '/none']) {
      const { status, body } = await ask(host, path)
      expect([host, path, status]).toEqual([host, path, 403])
      expect(body).toMatch(/This Host is none of the studio page\. Open it as localhost/)
    }
  }
  for (const host of ['', 'a b', 'localhost:port', ':80']) {
    expect([400, 403], host).toContain((await ask(host)).status)
  }
})

test('the studio page is served under the configured host, in any case', () => {
  expect(isOwnHost('mybox.local:3001', 'MyBox.local')).toBe(true)
  expect(isOwnHost('other.local:3001', 'MyBox.local')).toBe(false)
})

test('the studio page can only be read, and other sites cannot embed it', async () => {
  const ask = await startStudio()
  const { status, headers } = await ask('localhost:PORT', '/events', 'POST')
  expect([status, headers['allow']]).toEqual([405, 'GET, HEAD'])
  const page = await ask('localhost:PORT')
  expect(page.headers['cross-origin-resource-policy']).toBe('same-origin')
  expect(page.headers['access-control-allow-origin']).toBeUndefined()
})

test('the files of the studio page are served, and no others', async () => {
  const ask = await startStudio()
  for (const path of ['/studio.ts', '/item-list.ts', '/studio.css', '/icon-bad.svg']) {
    expect((await ask('localhost:PORT', path)).status, path).toBe(200)
  }
  expect((await ask('localhost:PORT', '/element.ts')).body).not.toContain(': HTMLElement')
  for (const path of ['/../studio.ts', '/%2e%2e/studio.ts', '/none.ts', '/studio', '/..', '//']) {
    expect((await ask('localhost:PORT', path)).status, path).toBe(404)
  }
})
