import type { Locator, Page } from 'playwright-core'
import { expect, type TestContext, test } from 'vitest'
import clientManifest from '../../../client/package.json' with { type: 'json' }
import description from '../../fixture-api/generated/openapi.json' with { type: 'json' }
import { operations } from '../../fixture-api/generated/operations.ts'
import { findSevere, visit } from '../../helpers/browser/visit.ts'
import { tools } from '../../helpers/fixture-service.ts'
import { startReferenceService } from './support/reference-service.ts'

const ids = Object.keys(operations)
const { title } = description.info

/** Opens the reference of the fixture API's service. */
async function open(context: TestContext, address = '') {
  const service = await startReferenceService()
  const visited = await visit(context)
  await visited.page.goto(`${service.origin}/docs${address}`)
  await visited.page.getByRole('heading', { name: title }).waitFor()
  return { ...service, ...visited }
}

/** Follows the address of an operation; returns the part of the page that shows it. */
async function show(page: Page, operationId: string): Promise<Locator> {
  await page.evaluate((id) => location.assign(`#operation/${id}`), operationId)
  const section = page.locator(`section[id$="/${operationId}"]`)
  await section.getByRole('button', { name: 'Test Request' }).waitFor()
  return section
}

/** Opens the form that sends requests of an operation. */
async function openForm(page: Page, operationId: string): Promise<Locator> {
  const section = await show(page, operationId)
  await section.getByRole('button', { name: 'Test Request' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Send' }).first().waitFor()
  return form
}

/** Sends the request as the form has it; returns the status of the response. */
async function send(page: Page, form: Locator): Promise<number> {
  const received = page.waitForResponse((response) => response.url().includes('/lending/v2/'))
  await form.getByRole('button', { name: 'Send' }).first().click()
  const status = (await received).status()
  await form
    .getByText(new RegExp(`^${status} `))
    .first()
    .waitFor()
  return status
}

async function closeForm(page: Page, form: Locator): Promise<void> {
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'hidden' })
}

test('a first visit of the reference loads at most 1.2 MB from the service alone, and a reload only 304s', async (context) => {
  const { origin } = await startReferenceService()
  const { page, context: browser, messages, requestedElsewhere } = await visit(context)
  const devTools = await browser.newCDPSession(page)
  await devTools.send('Network.enable')
  let bytes = 0
  devTools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto(`${origin}/docs`)
  await page.getByRole('heading', { name: title }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThanOrEqual(1_200_000)

  bytes = 0
  await page.reload()
  await page.getByRole('heading', { name: title }).waitFor()
  await page.waitForLoadState('networkidle')
  // Header fields alone.
  expect(bytes).toBeLessThan(5_000)
  expect(messages).toEqual([])
  expect(requestedElsewhere()).toEqual([])
})

test('the reference shows every operation with samples of the client and curl for this service, and can be searched', async (context) => {
  const { page, origin, baseUrl, messages, requestedElsewhere } = await open(context)
  for (const operationId of ids) {
    const section = await show(page, operationId)
    await section.getByText(`client.${operationId}(`).first().waitFor()
  }
  const section = await show(page, 'getOpeningHours')
  await section.getByText(`baseUrl: '${baseUrl}'`).first().waitFor()
  await section.getByRole('button', { name: clientManifest.name }).click()
  await page.getByRole('option', { name: 'curl' }).click()
  await section.getByText(`curl -X GET '${baseUrl}/opening-hours'`).waitFor()

  await page.getByRole('button', { name: 'Search' }).first().click()
  await page.getByRole('dialog').getByRole('combobox').fill('opening')
  await page.getByRole('dialog').getByText('Get the opening hours').first().waitFor()
  expect(messages).toEqual([])
  expect(requestedElsewhere()).toEqual([])

  // Links of the side menu lead to the page itself, in another tab, too.
  const links = await page.locator('aside a, nav a').all()
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')))
  const own = addresses.filter((address) => address?.startsWith('https:') !== true)
  expect(own.length).toBeGreaterThan(2)
  for (const address of own) {
    expect(address).toMatch(/^#/)
  }
  await page.goto('about:blank')
  await page.goto(`${origin}/docs${own.at(-1)}`)
  await page.getByRole('heading', { name: title }).waitFor()
})

test('a deprecated operation is struck through, with the date of its removal and a link to its replacement', async (context) => {
  const { page, origin } = await open(context, '#operation/getManual')
  const section = page.locator('section[id$="/getManual"]')
  const heading = section.getByRole('heading', { name: 'Get the manual of a tool' })
  const decoration = await heading.evaluate(
    (element) => getComputedStyle(element).textDecorationLine,
  )
  expect(decoration).toBe('line-through')
  await section
    .getByText('Deprecated since 20 November 2026. It will be removed on 31 January 2031.')
    .waitFor()
  await section.getByRole('link', { name: 'GET /tools/{toolId}' }).click()
  await page.waitForURL(`${origin}/docs#tag/tools/getTool`)
})

test('the reference sends valid requests as its forms begin, with the key of the reader, which is not kept', async (context) => {
  const { page, apiKey, messages, requestedElsewhere, send: sendDirectly } = await open(context)
  const statuses: Record<string, number> = {}
  for (const operationId of ids) {
    const form = await openForm(page, operationId)
    if (Object.keys(statuses).length === 0) {
      // Some enter the key with its scheme.
      await form.getByPlaceholder('Token').fill(`Bearer ${apiKey}`)
    }
    statuses[operationId] = await send(page, form)
    if (operationId === 'createTool') {
      expect(await (await sendDirectly(tools)).json()).toHaveLength(1)
    }
    await closeForm(page, form)
  }
  // The tool is deleted before its manual is requested.
  expect(statuses).toEqual({
    ...Object.fromEntries(ids.map((operationId) => [operationId, 200])),
    ...{ createTool: 201, deleteTool: 204, getManual: 404 },
  })
  expect(messages.filter((message) => !message.includes('status of 404'))).toEqual([])
  expect(requestedElsewhere()).toEqual([])
  expect(page.url()).not.toContain(apiKey)
  const kept = 'JSON.stringify([localStorage, sessionStorage, document.cookie])'
  expect(await page.evaluate(kept)).not.toContain(apiKey)

  await page.reload()
  expect(await send(page, await openForm(page, 'listTools'))).toBe(401)
})

test('the reference sends the cookies of a request, and keeps none of them', async (context) => {
  const shown = structuredClone(description)
  Object.assign(shown.components.parameters.Shelf, { required: true })
  const { origin, apiKey } = await startReferenceService(shown)
  const { page } = await visit(context)
  await page.goto(`${origin}/docs`)
  const form = await openForm(page, 'listTools')
  await form.getByPlaceholder('Token').fill(apiKey)
  const sending = page.waitForRequest((request) => request.url().includes('/lending/v2/'))
  expect(await send(page, form)).toBe(200)
  expect(await (await sending).headerValue('Cookie')).toBe('shelf=7')
  await expect.poll(() => page.evaluate('document.cookie'), { timeout: 30_000 }).toBe('')
})

test('the reference is accessible on a wide screen in light mode, and on a phone in dark mode', async (context) => {
  const { page } = await open(context, '#operation/getManual')
  await page.locator('section[id$="/getManual"]').getByText('client.getManual(').waitFor()
  const sizes = [
    ['light', 1400],
    ['dark', 390],
  ] as const
  for (const [colorScheme, width] of sizes) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.reload()
    await page.locator('section[id$="/getManual"]').getByText('client.getManual(').waitFor()
    expect(await findSevere(page), `${colorScheme} ${width}`).toEqual([])
    const contentWidth = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(contentWidth, colorScheme).toBeLessThanOrEqual(width)
  }

  for (const operationId of ['listTools', 'createTool']) {
    const form = await openForm(page, operationId)
    await expect.poll(() => findSevere(page), { message: operationId }).toEqual([])
    await send(page, form)
    await expect.poll(() => findSevere(page), { message: `response to ${operationId}` }).toEqual([])
    await closeForm(page, form)
  }
})

test('on a phone, the reference shows the response once a call is sent', async (context) => {
  const { page } = await open(context)
  await page.setViewportSize({ width: 390, height: 844 })
  const form = await openForm(page, 'createTool')
  const response = form.getByRole('region', { name: 'Response' }).getByText(/^401 /)
  await send(page, form)
  const position = async () => (await response.boundingBox())?.y
  await expect.poll(position).toBeLessThan(700)
})

test('a form of the reference takes any value of a parameter whose schema has examples', async (context) => {
  const { page, apiKey } = await open(context)
  const form = await openForm(page, 'getTool')
  await form.getByPlaceholder('Token').fill(apiKey)
  await form.getByRole('combobox', { name: 'Value' }).filter({ hasText: /^1$/ }).fill('77')
  const sending = page.waitForRequest((request) => request.url().includes('/lending/v2/'))
  expect(await send(page, form)).toBe(404)
  expect((await sending).url()).toMatch(/\/tools\/77$/)
})
