import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { basePath } from '../../../generated/operations.ts'
import { sendBytes } from '../../helpers/raw.ts'
import { atKey, changeLimit, createLocator, set } from '../../helpers/spec-edit.ts'
import { shareLoop, spec } from './support/dev-loop.ts'

const { copy, loop, highest, change, changeSpec, blockAfter, restore, restart, openStudio } =
  shareLoop()
const waiting = { timeout: 120_000, interval: 50 }

test('a header that the responses of the service violate is reported at its line, and served', async () => {
  const header = 'components headers X-RateLimit-Reset'
  let text = ''
  const save = async () => {
    text = await changeSpec(set(`${header} schema maximum`, 100), set(`${header} example`, 60))
  }
  const block = await blockAfter(save, /service-responses/)
  const { line } = createLocator(text)(atKey(`${header} schema`))
  expect(block).toMatch(new RegExp(`spec/openapi\\.yaml:${line}:\\d+ service-responses the header`))
  expect(await loop().status('/pets')).toBe(200)
})

test('an empty file, one that is not YAML, and another document do not stop the loop', async () => {
  for (const text of ['', 'openapi: [', 'a: 1\n']) {
    const block = await blockAfter(() => change(spec, () => text))
    expect(block.match(/^ {2}spec +spec\/openapi\.yaml:\d+:\d+ /gm), text).toHaveLength(1)
    expect(await loop().status('/pets')).toBe(200)
  }
})

test('a file that is renamed over the spec is noticed', async () => {
  const file = join(copy(), spec)
  let original = ''
  await change(spec, (text) => {
    original = text
    return `${text}\n`
  })
  const lower = await changeSpec(changeLimit(-2))
  await writeFile(`${file}.new`, lower)
  await writeFile(file, original)
  await blockAfter(() => rename(`${file}.new`, file), / {2}breaking[\s\S]* s: /)
  expect(await loop().status(`/pets?limit=${highest() - 1}`)).toBe(400)
})

test('requests are shown, newest first, with the violations of their responses', async (context) => {
  const { items } = await openStudio(context)
  const header = { description: 'New.', required: true, schema: { type: 'string' }, example: 'a' }
  await blockAfter(() => changeSpec(set('paths /pets get responses 200 headers X-New', header)))
  const newest = () => items('requests').first().innerText()
  expect((await loop().send('/pets')).status).toBe(200)
  await expect.poll(newest, waiting).toMatch(/GET\s*\S+\/pets\s*200[\s\S]*x-new/)
  expect((await loop().send('/pets?limit=0')).status).toBe(400)
  await expect.poll(newest, waiting).toMatch(/GET\s*\S+\/pets\?limit=0\s*400/)
})

test('markup in the spec and in requests is shown as text', async (context) => {
  const markup = `<img/src=x/onerror=document.title='owned'>`
  await blockAfter(() => changeSpec(set(`info ${markup}`, 1)))
  const request = `GET ${basePath}/pets?${markup} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
  await sendBytes(loop().origin, request)
  const { page, items, errors } = await openStudio(context, 'Broken')
  expect(await items('spec').first().innerText()).toContain(markup)
  await items('requests').filter({ hasText: markup }).waitFor()
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(await page.title()).toBe('✗ Studio')
  expect(errors).toEqual([])
})

test('the reference is built after a save that is served', async () => {
  await blockAfter(() => changeSpec(set('info title', 'Another Title')))
  const reference = async () => (await fetch(`${loop().origin}/docs`)).text()
  await expect.poll(reference, waiting).toContain('Another Title')
})

test('the studio page reports that npm run dev was stopped, and connects again', async (context) => {
  const { page, items } = await openStudio(context)
  await blockAfter(() => changeSpec(changeLimit(-1)))
  await items('diff').first().waitFor()
  const stopped = page.getByText('npm run dev has stopped. Start it again').waitFor()
  await Promise.all([restart(), stopped])
  await page.locator('#state').getByText('Not releasable').waitFor()
  await restore()
  await expect.poll(() => items('diff').count(), waiting).toBe(0)
})
