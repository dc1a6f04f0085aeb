import type { Locator, Page } from 'playwright-core'
import { expect, type TestContext, test } from 'vitest'
import clientManifest from '../../../client/package.json' with { type: 'json' }
import { operations } from '../../fixture-api/generated/operations.ts'
import { visit } from '../../helpers/browser/visit.ts'
import { tools } from '../../helpers/fixture-service.ts'
import { startReferenceService } from './support/reference-service.ts'

/** Opens a page of the fixture API's service. */
async function open(context: TestContext, path: string) {
  const service = await startReferenceService()
  const visited = await visit(context)
  await visited.page.goto(service.origin + path)
  return { ...service, ...visited }
}

const goTo = (page: Page, operationId: string) =>
  page.evaluate((id) => location.assign(`#operation/${id}`), operationId)

test('the reference shows every operation with samples, can be searched, and loads nothing from other hosts', async (context) => {
  const { page, errors, requestedElsewhere } = await open(context, '/docs')
  expect(await page.getByText('Get the opening hours').count()).toBe(0)
  await page.getByText('Search').first().click()
  await page.getByRole('textbox').fill('opening')
  await page.getByText('Get the opening hours').waitFor()
  await page.keyboard.press('Escape')
  for (const operationId of Object.keys(operations)) {
    await goTo(page, operationId)
    await page.getByText(`client.${operationId}(`).first().waitFor()
  }
  await page.getByText(clientManifest.name, { exact: true }).first().click()
  await page.getByText('curl', { exact: true }).first().click()
  await page.getByText(`/opening-hours'`).waitFor()
  expect(errors).toEqual([])
  expect(requestedElsewhere()).toEqual([])
})

test('a deprecated operation is marked, with the date of its removal', async (context) => {
  const { page } = await open(context, '/docs#operation/getManual')
  await page
    .getByText('Deprecated since 20 November 2026. It will be removed on 31 January 2031.')
    .waitFor()
})

/** Returns the part of /docs/try that sends requests of an operation, unfolded. */
async function unfold(page: Page, operationId: string): Promise<Locator> {
  const block = page.locator('.opblock', { has: page.getByText(operationId, { exact: true }) })
  await block.locator('.opblock-summary-control').click()
  await block.getByRole('button', { name: 'Execute' }).waitFor()
  return block
}

/** Sends the request as the form has it; returns the status of the response. */
async function execute(block: Locator): Promise<number> {
  await block.getByRole('button', { name: 'Execute' }).click()
  const status = block.locator('.live-responses-table .response .response-col_status')
  await status.filter({ hasText: /^\d{3}/ }).waitFor()
  return Number.parseInt(await status.innerText(), 10)
}

async function authorize(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize', exact: true }).first().click()
  await page.locator('.modal-ux input').fill(key)
  await page.locator('.modal-ux').getByRole('button', { name: 'Apply credentials' }).click()
  await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).click()
}

test('/docs/try sends valid requests as its forms begin, with the API key', async (context) => {
  const { page, apiKey, errors, requestedElsewhere, send } = await open(context, '/docs/try')
  await authorize(page, `Bearer ${apiKey}`)
  const statuses = new Map<string, number>()
  for (const operationId of Object.keys(operations)) {
    const block = await unfold(page, operationId)
    statuses.set(operationId, await execute(block))
    const text = await block.innerText()
    expect([text.includes('x-request-id'), text.includes(apiKey)]).toEqual([true, false])
    await block.locator('.opblock-summary-control').click()
    if (operationId === 'createTool') {
      expect(await (await send(tools)).json()).toHaveLength(1)
    }
  }
  // The tool is deleted before its manual is requested.
  expect(Object.fromEntries(statuses)).toEqual({
    ...Object.fromEntries(Object.keys(operations).map((operationId) => [operationId, 200])),
    ...{ createTool: 201, deleteTool: 204, getManual: 404 },
  })
  // Swagger UI has no component of its own for some formats.
  const unexpected = errors.filter((error) => !/Could not find component|status of 404/.test(error))
  expect(unexpected).toEqual([])
  expect(requestedElsewhere()).toEqual([])
})

test('/docs/try keeps the API key for its tab alone, until it is cleared', async (context) => {
  const { page, context: browser, origin, apiKey } = await open(context, '/docs/try')
  await authorize(page, apiKey)
  await page.reload()
  expect(await execute(await unfold(page, 'listTools'))).toBe(200)
  expect(page.url()).not.toContain(apiKey)
  const other = await browser.newPage()
  await other.goto(`${origin}/docs/try`)
  expect(await execute(await unfold(other, 'listTools'))).toBe(401)
  expect(await other.evaluate('JSON.stringify([localStorage, document.cookie])')).toBe('[{},""]')
  await page.getByRole('button', { name: 'Authorize', exact: true }).first().click()
  await page.getByRole('button', { name: 'Remove authorization' }).click()
  await page.reload()
  // The operation that was open is open again.
  expect(await execute(page.locator('.opblock.is-open'))).toBe(401)
})
