import { expect, type TestContext, test } from 'vitest'
import type { LoopState } from '../../scripts/dev/loop-state.ts'
import { broken, busy, calm } from './support/loop-states.ts'
import { serveStudio } from './support/studio-server.ts'
import { visit } from './support/visit.ts'

/** Opens the designer's page of a loop in some state. */
async function openStudio(context: TestContext, state: LoopState) {
  const studio = await serveStudio(state)
  const visited = await visit(context)
  await visited.page.goto(`${studio.origin}/studio`)
  await visited.page.getByText(`run ${state.run}`).waitFor()
  const entries = (panel: string) => visited.page.locator(`#${panel} .entries > li`)
  return { ...studio, ...visited, entries }
}

test('the panels say when there is nothing to do', async (context) => {
  const { page, entries } = await openStudio(context, { ...calm, operations: [] })
  for (const panel of ['lint', 'code', 'diff', 'operations', 'requests']) {
    expect(await entries(panel).count(), panel).toBe(0)
    expect(await page.locator(`#${panel} .empty`).isVisible(), panel).toBe(true)
  }
  expect(await page.locator('#diff').innerText()).toContain('Nothing changed since v1.0.0.')
  expect(await page.locator('#verdict').isVisible()).toBe(false)
})

test('without a release there is nothing to compare with', async (context) => {
  const { page } = await openStudio(context, { ...calm, diff: undefined })
  expect(await page.locator('#diff').innerText()).toContain('There is no release to compare with.')
})

test('the panels show what the loop knows: errors first, breaking changes first', async (context) => {
  const { page, entries } = await openStudio(context, broken)
  const findings = await entries('lint').allInnerTexts()
  expect(findings[0]).toMatch(/^spec\/paths\/things.yaml:12:3\s+error.+respnses.+struct$/s)
  expect(findings[1]).toMatch(/warning/)
  expect(await entries('code').allInnerTexts()).toEqual([
    expect.stringContaining('server/things/list-things.ts:14:22'),
  ])
  expect(await page.locator('#diff .versions').innerText()).toContain(
    'Set info.version to 2.0.0; it is 1.1.0.',
  )
  const changes = await entries('diff').allInnerTexts()
  expect(changes[0]).toMatch(/^breaking GET \/things\s+The query parameter.+refused with 400\.$/s)
  expect(changes[1]).toMatch(/^minor POST \/things/)
  const inCode = (panel: string) => entries(panel).locator('p code, .words code').allInnerTexts()
  expect(await inCode('lint')).toEqual(['respnses'])
  expect(await inCode('diff')).toEqual(['GET /things', 'colour', 'POST /things'])
  for (const text of [...findings, ...changes]) expect(text).not.toContain('`')
  const operations = await entries('operations').allInnerTexts()
  expect(operations.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    'GET /things listThings implemented',
    'POST /things addThing mocked',
    'GET /things/{thingId} getThing implemented deprecated until 5 Dec 2030',
  ])
})

test('an update comes by itself, and leaves the focus and the place where they are', async (context) => {
  const { page, tell, entries } = await openStudio(context, broken)
  await entries('lint').nth(1).getByRole('button').focus()
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  const before = await focused()
  expect(before).toContain('spec/openapi.yaml:41')
  tell({ ...busy, run: 9 })
  await page.getByText('Healthy').waitFor()
  expect(await entries('lint').count()).toBe(1)
  expect(await focused()).toBe(before)
  expect(await page.locator('#code .empty').isVisible()).toBe(true)
})

test('requests come newest first, and those that break the contract can be seen alone', async (context) => {
  const { page, tell, entries } = await openStudio(context, busy)
  expect(await entries('requests').nth(0).innerText()).toMatch(/GET\s+\/v1\/things\/42\s+404/)
  const violating = page.locator('#requests .violating')
  expect(await violating.innerText()).toContain('X-Request-Id is missing')
  await page.getByLabel('Only violations').check()
  await entries('requests').nth(1).waitFor({ state: 'detached' })
  expect(await violating.count()).toBe(1)

  const [first] = busy.requests
  if (first === undefined) throw new Error('There is no request to repeat.')
  const again = { ...first, id: 'another-request', violations: ['/body must be an array'] }
  tell({ ...busy, requests: [...busy.requests, again] })
  await page.getByText('/body must be an array').waitFor()
  expect(await violating.count()).toBe(2)
  expect(await page.getByRole('link', { name: '2 contract violations' }).isVisible()).toBe(true)
})

test('a click and the Enter key copy a place, and say so', async (context) => {
  const { page, entries } = await openStudio(context, broken)
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const finding = entries('lint').nth(0).getByRole('button')
  await finding.click()
  await finding.getByText('Copied spec/paths/things.yaml:12').waitFor()
  expect(await copied()).toBe('spec/paths/things.yaml:12')
  expect(await page.locator('#announcement').innerText()).toContain(
    'Copied spec/paths/things.yaml:12',
  )

  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await entries('code').getByText('Copied server/things/list-things.ts:14').waitFor()
  expect(await copied()).toBe('server/things/list-things.ts:14')
})

test('where the browser does not let it copy, it says that', async (context) => {
  const { page, context: browser, entries } = await openStudio(context, broken)
  await browser.clearPermissions()
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))
  })
  await entries('lint').nth(0).getByRole('button').click()
  await entries('lint').getByText('The browser does not allow to copy').waitFor()
})

test('keys go to panels and through lists, and can be switched off', async (context) => {
  const { page } = await openStudio(context, broken)
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  await page.keyboard.press('1')
  expect(await focused()).toContain('things.yaml:12')
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toContain('openapi.yaml:41')
  await page.keyboard.press('ArrowUp')
  expect(await focused()).toContain('things.yaml:12')
  await page.keyboard.press('4')
  expect(await focused()).toBe('listThings')
  await page.keyboard.press('3')
  expect(await focused()).toContain('Contract changes')
  await page.getByLabel('Keys').uncheck()
  await page.keyboard.press('1')
  expect(await focused()).not.toContain('things.yaml')
  await page.reload()
  expect(await page.getByLabel('Keys').isChecked()).toBe(false)
})
