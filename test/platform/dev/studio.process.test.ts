import { expect, type TestContext, test } from 'vitest'
import { parse } from 'yaml'
import { expectAccessible, visit } from '../../helpers/browser/visit.ts'
import { atKey, locate, rename, set } from '../pipeline/support/spec-edit.ts'
import { addUnhandled, shareLoop } from './support/dev-loop.ts'

const { loop, original, changeSpec, blockAfter } = shareLoop()
const end = / {2}\d+\.\d\d s: .*\n/

/** Opens the studio page, once it shows a state of the project. */
async function openStudio(context: TestContext, state: string) {
  const visited = await visit(context)
  await visited.page.goto(`${loop().origin}/studio`)
  await visited.page.getByText(state, { exact: true }).first().waitFor()
  const entries = (panel: string) => visited.page.locator(`#${panel} .entries > li`)
  return { ...visited, entries }
}

test('while all is well, the studio page shows the operations and the reference, and is accessible', async (context) => {
  const { page, entries, errors, requestedElsewhere } = await openStudio(context, 'Healthy')
  for (const panel of ['lint', 'code', 'diff']) {
    expect(await entries(panel).count(), panel).toBe(0)
    expect(await page.locator(`#${panel} .empty`).isVisible(), panel).toBe(true)
  }
  expect(await page.locator('#diff').innerText()).toContain('Nothing changed since')
  expect(await page.title()).toBe('Studio')
  const { info, paths } = parse(original())
  const listed = await entries('operations').allInnerTexts()
  const operations = Object.values<object>(paths).flatMap((item) => Object.values(item))
  for (const { operationId, deprecated } of operations) {
    const [text = ''] = listed.filter((one) => one.includes(operationId))
    expect(text).toContain('implemented')
    expect(text.includes('deprecated, will be removed on')).toBe(deprecated === true)
  }
  await page.frameLocator('iframe').getByRole('heading', { level: 1, name: info.title }).waitFor()
  await page.getByRole('link', { name: 'createPet' }).click()
  const hashes = () => page.frames().map((frame) => new URL(frame.url()).hash)
  await expect.poll(hashes, { timeout: 60_000 }).toContain('#createPet')
  await expectAccessible(page)
  expect(errors).toEqual([])
  expect(requestedElsewhere()).toEqual([])
})

test('an invalid spec is shown with file and line, copied by a click, and what is still served', async (context) => {
  const { page, entries, errors } = await openStudio(context, 'Healthy')
  let text = ''
  const misspelled = rename('paths /pets get summary', 'sumary')
  await blockAfter(async () => {
    text = await changeSpec(misspelled, set('info unknown', 1))
  }, end)
  await page.getByText('Broken').waitFor()
  const lines = ['info unknown', 'paths /pets get sumary'].map((key) => {
    const { line, col } = locate(text, atKey(key))
    return `spec/openapi.yaml:${line}:${col}`
  })
  const findings = (await entries('lint').allInnerTexts()).join('\n')
  for (const place of lines) expect(findings).toContain(place)
  const verdict = `The last good service keeps answering at ${loop().origin}.`
  expect(await page.locator('#verdict').innerText()).toContain(verdict)
  expect(await page.locator('#announcement').innerText()).toContain(verdict)
  expect(await page.title()).toBe('✗ Studio')

  const finding = page.locator('#lint').getByRole('button').filter({ hasText: 'sumary' })
  const place = lines[1]?.replace(/:\d+$/, '')
  await finding.click()
  await finding.getByText(`Copied ${place}`).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(place)
  await expectAccessible(page)

  // An update keeps the keyboard focus.
  await finding.focus()
  const before = await entries('lint').count()
  await blockAfter(() => changeSpec(rename('info unknown', 'x-known')), end)
  await expect.poll(() => entries('lint').count(), { timeout: 60_000 }).toBe(before - 1)
  expect(await page.evaluate(() => document.activeElement?.textContent ?? '')).toContain(place)
  expect(errors).toEqual([])
})

test('code to change, breaking changes and operations without a handler are shown', async (context) => {
  const renamed = set('components parameters Limit name', 'size')
  await blockAfter(() => changeSpec(renamed, addUnhandled), /listPets1: no handler yet[\s\S]* s: /)
  const { page, entries } = await openStudio(context, 'Code to change')
  expect((await entries('code').allInnerTexts()).join()).toMatch(/server\/\S+\.ts:\d+:\d+/)
  const [first = '', ...others] = await entries('diff').allInnerTexts()
  expect(first).toMatch(/^breaking [\s\S]*limit/)
  expect(others.join()).toMatch(/minor GET \/copy1\/pets/)
  const { version } = parse(original()).info
  const advice = new RegExp(`Set info\\.version to \\d+\\.0\\.0; it is ${version}\\.`)
  expect(await page.locator('#diff').innerText()).toMatch(advice)
  const mocked = entries('operations').filter({ hasText: 'listPets1' })
  expect(await mocked.innerText()).toContain('mocked')
  expect(await page.locator('#verdict').innerText()).toContain('It is served already')
})
