import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDocs } from './support/open-docs.ts'

/** The header fields that an operation's last answer shows. */
async function shownHeaders(page: Page, operation: string): Promise<Record<string, string>> {
  const rows = page.locator(`#${operation} .result tr`)
  const cells = await Promise.all(
    (await rows.all()).map((row) => row.locator('th, td').allInnerTexts()),
  )
  return Object.fromEntries(cells)
}

test('a request that is tried adds an animal, and its answer is shown whole', async (context) => {
  const { page, apiKey, client, complaints } = await openDocs(context)
  await page.fill('#api-key', apiKey)
  await page.getByRole('combobox', { name: 'Example to begin with' }).selectOption({ index: 1 })
  const body = page.locator('#createPet textarea')
  const chosen: unknown = JSON.parse(await body.inputValue())
  expect(Object.keys(Object(chosen))).not.toContain('status')
  await body.fill('{ "name": "Bello", "categoryId": 4, "status": "sold" }')
  await page.fill('#createPet-header-Idempotency-Key', 'a-try-of-mine')
  await page.getByRole('button', { name: 'Send POST' }).click()

  await page.locator('#createPet .outcome').getByText('201 Created').waitFor()
  const added = { id: 1, name: 'Bello', categoryId: 4, status: 'sold' }
  expect(JSON.parse(await page.locator('#createPet .result pre').innerText())).toEqual(added)
  expect([...(await client.listPets())]).toEqual([added])
  const headers = await shownHeaders(page, 'createPet')
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-ratelimit-limit': '1000000',
  })
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)

  await page.getByRole('button', { name: 'Send POST' }).click()
  await page.locator('#createPet .result').getByText('idempotent-replayed').waitFor()
  expect(await client.listPets()).toHaveLength(1)
  expect(complaints).toEqual([])
})

test('parameters are sent as they are typed, and refusals are shown like any answer', async (context) => {
  const { page, apiKey, client } = await openDocs(context)
  await client.createPet({ name: 'Rex', categoryId: 7, status: 'pending' })
  await page.fill('#api-key', apiKey)
  await page.selectOption('#listPets-query-status', 'pending')
  const send = page.locator('#listPets [type=submit]')
  await send.click()
  await page.locator('#listPets .result').getByText('"Rex"').waitFor()
  await page.fill('#listPets-query-limit', '0')
  await send.click()
  await page.locator('#listPets .result').getByText('400 Bad Request').waitFor()
  expect(await page.locator('#listPets .result pre').innerText()).toContain('/query/limit')
})

test('a call without a key is sent, refused, and told what is missing', async (context) => {
  const { page } = await openDocs(context)
  expect(await page.locator('#listPets [data-credential]').innerText()).toContain('enter one')
  await page.locator('#listPets [type=submit]').click()
  await page.locator('#listPets .result').getByText('401 Unauthorized').waitFor()
  expect(await page.locator('#listPets .result pre').innerText()).toContain('missing_api_key')
})

test('a service that is gone is a sentence, not silence', async (context) => {
  const { page, stop } = await openDocs(context)
  await stop()
  await page.locator('#listPets [type=submit]').click()
  await page.locator('#listPets .fault').getByText('No answer came').waitFor()
})

test('what cannot be sent is a sentence too', async (context) => {
  const { page } = await openDocs(context)
  await page.fill('#createPet-header-Idempotency-Key', 'käse 🧀')
  await page.getByRole('button', { name: 'Send POST' }).click()
  await page.locator('#createPet .fault').getByText('the fields can be sent').waitFor()
})

test('the answer can be seen where it was asked for, in a low window too', async (context) => {
  const { page, apiKey } = await openDocs(context)
  await page.setViewportSize({ width: 1440, height: 500 })
  await page.fill('#api-key', apiKey)
  await page.getByRole('button', { name: 'Send POST' }).click()
  await page.locator('#createPet .outcome').waitFor()
  await expect
    .poll(() =>
      page.locator('#createPet .result pre').evaluate((body) => {
        const { bottom } = body.getBoundingClientRect()
        return bottom > 0 && bottom <= innerHeight
      }),
    )
    .toBe(true)
})

test('the key outlives a reload and is gone in another tab, and when it is forgotten', async (context) => {
  const { page, context: browser, origin, apiKey } = await openDocs(context)
  await page.fill('#api-key', apiKey)
  await page.reload()
  expect(await page.inputValue('#api-key')).toBe(apiKey)
  const other = await browser.newPage()
  await other.goto(`${origin}/docs`)
  expect(await other.inputValue('#api-key')).toBe('')
  expect(await other.evaluate('JSON.stringify([localStorage, document.cookie])')).toBe('[{},""]')
  await page.getByRole('button', { name: 'Forget' }).click()
  await page.reload()
  expect(await page.inputValue('#api-key')).toBe('')
})

test('samples follow what is typed, in the tab that is chosen, and are copied without the key', async (context) => {
  const { page, apiKey, origin } = await openDocs(context)
  await page.fill('#api-key', apiKey)
  const sample = page.locator('#createPet [data-tab-panel]:not([hidden]) code')
  expect(await sample.innerText()).toContain("from 'animal-store-client'")
  expect(await sample.innerText()).toContain(`baseUrl: '${origin}/v1'`)
  await page.locator('#createPet textarea').fill(`{ "name": "O'Neil", "categoryId": 4 }`)
  expect(await sample.innerText()).toContain(
    String.raw`store.createPet({ name: 'O\'Neil', categoryId: 4 })`,
  )

  await page.locator('#createPet').getByRole('tab', { name: 'animal-store-client' }).focus()
  await page.keyboard.press('ArrowRight')
  expect(
    await page
      .locator('#createPet')
      .getByRole('tab', { name: 'curl' })
      .getAttribute('aria-selected'),
  ).toBe('true')
  expect(await page.locator('#listPets [data-tab-panel]:not([hidden])').innerText()).toContain(
    'curl ',
  )
  await page.locator('#createPet').getByRole('button', { name: 'Copy' }).click()
  await page.locator('#createPet').getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(`curl '${origin}/v1/pets' \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"name":"O'\\''Neil","categoryId":4}'
`)
  expect(await page.content()).not.toContain(apiKey)
})
