import { expect, test } from 'vitest'
import { basePath } from '../../../generated/operations.ts'
import { exchangeBytes } from '../../helpers/raw.ts'
import { set } from '../pipeline/support/spec-edit.ts'
import { changeLimit, shareLoop } from './support/dev-loop.ts'
import { operationsMultiplied } from './support/many-operations.ts'

const { loop, changeSpec, blockAfter, restart, restore, openStudio } = shareLoop()

test('the studio page has a strict content security policy and is read-only', async () => {
  const { origin } = loop()
  const response = await fetch(`${origin}/studio`)
  expect([response.status, response.headers.get('Content-Type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ])
  expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
  const policy = response.headers.get('Content-Security-Policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; script-src 'self';/)
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
  const assets = [...(await response.text()).matchAll(/(?:href|src)="(\/studio\/[^"]+)"/g)]
  expect(assets.length).toBeGreaterThan(1)
  for (const [, path = ''] of assets) {
    const asset = await fetch(origin + path)
    expect([path, asset.status]).toEqual([path, 200])
    expect(asset.headers.get('Content-Type')).toMatch(/^(text\/(css|javascript)|image\/svg)/)
    expect(asset.headers.get('X-Content-Type-Options')).toBe('nosniff')
  }
  for (const path of ['none.js', '..%2floop.ts', '.hidden', 'loop.ts']) {
    expect([path, (await fetch(`${origin}/studio/${path}`)).status]).toEqual([path, 404])
  }
  expect((await fetch(`${origin}/studio/`)).status).toBe(200)
  const posted = await fetch(`${origin}/studio`, { method: 'POST' })
  expect([posted.status, posted.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
})

test('requests are shown, newest first, with the violations of their responses', async (context) => {
  const { page, entries } = await openStudio(context)
  expect(await page.locator('#requests .empty').isVisible()).toBe(true)
  const header = { description: 'New.', required: true, schema: { type: 'string' }, example: 'a' }
  await blockAfter(() => changeSpec(set('paths /pets get responses 200 headers X-New', header)))
  expect((await loop().send('/pets')).status).toBe(200)
  expect((await loop().send('/pets?limit=0')).status).toBe(400)
  await entries('requests').nth(1).waitFor()
  expect(await entries('requests').nth(0).innerText()).toMatch(/GET\s+\S+\/pets\?limit=0\s+400/)
  expect(await entries('requests').nth(1).innerText()).toMatch(/GET\s+\S+\/pets\s+200[\s\S]*X-New/)
  await page.getByLabel('Only violations').check()
  await expect.poll(() => entries('requests').count(), { timeout: 60_000 }).toBe(1)
  await page.getByRole('link', { name: '1 contract violation' }).waitFor()
  await loop().send('/pets')
  await page.getByRole('link', { name: '2 contract violations' }).waitFor()
})

test('markup in the spec and in requests is shown as text', async (context) => {
  const markup = `<img/src=x/onerror=document.title='owned'>`
  await blockAfter(() => changeSpec(set(`info ${markup}`, 1)))
  const target = `${basePath}/pets?${markup}`
  await exchangeBytes(
    loop().origin,
    `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  )
  const { page, entries, errors } = await openStudio(context, 'Broken')
  expect(await entries('lint').first().innerText()).toContain(markup)
  await entries('requests').filter({ hasText: markup }).waitFor()
  expect(await page.locator('main img, main script, header img, header script').count()).toBe(0)
  expect(await page.title()).toBe('✗ Studio')
  expect(errors).toEqual([])
})

test('the reference is built and reloaded after a save that is served', async (context) => {
  const { page } = await openStudio(context)
  await blockAfter(() => changeSpec(set('info title', 'Another Title')))
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { level: 1, name: 'Another Title' }).waitFor()
})

test('the studio page reports that npm run dev was stopped, and reconnects', async (context) => {
  const { page, entries } = await openStudio(context)
  await blockAfter(() => changeSpec(changeLimit(-1)))
  await entries('diff').first().waitFor()
  const gone = page.getByText('The loop is gone. Start it again with: npm run dev.').first()
  const stopped = gone.waitFor()
  await Promise.all([restart(), stopped])
  await page.getByText('Healthy').waitFor()
  await restore()
  await expect.poll(() => entries('diff').count(), { timeout: 60_000 }).toBe(0)
})

test('a spec with a thousand operations is served after a save, and shown', async (context) => {
  const { entries } = await openStudio(context)
  await blockAfter(() => changeSpec(operationsMultiplied(1000)), /mocked[\s\S]* s: .*\n/)
  expect((await loop().send('/copy333/pets')).status).toBe(200)
  await expect.poll(() => entries('operations').count(), { timeout: 60_000 }).toBeGreaterThan(999)
  await Promise.all(Array.from({ length: 20 }, () => loop().send('/copy9/pets')))
  await entries('requests').nth(19).waitFor()
  const reference = async () => (await fetch(`${loop().origin}/docs`)).text()
  await expect.poll(reference, { timeout: 60_000 }).toContain('listPets333')
})
