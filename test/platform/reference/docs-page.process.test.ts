import type { Locator, Page } from 'playwright-core'
import { expect, type TestContext, test } from 'vitest'
import type { Api } from '../../../server/api.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import description from '../../fixture-api/generated/openapi.json' with { type: 'json' }
import { operations } from '../../fixture-api/generated/operations.ts'
import { expectAccessible, visit } from '../../helpers/browser/visit.ts'
import { startTestService } from '../../helpers/service.ts'

/** Opens the reference of the fixture API, or of another. */
async function openDocs(context: TestContext, api: Api = fixtureApi) {
  const service = await startTestService({}, undefined, {}, undefined, api)
  const visited = await visit(context)
  await visited.page.goto(`${service.origin}/docs`)
  return { ...service, ...visited }
}

/** The part of the page where a request of an operation can be sent. */
async function formOf(page: Page, operationId: keyof typeof operations): Promise<Locator> {
  const section = page.locator(`#${operationId}`)
  await section.scrollIntoViewIfNeeded()
  await section.locator('form').waitFor()
  return section
}

const submit = (section: Locator) => section.getByRole('button', { name: 'Send' }).click()
const enterKey = (page: Page, key: string) => page.fill('#api-key', key)

test('the reference shows every operation, is accessible, and loads nothing from other hosts', async (context) => {
  const { page, apiKey, errors, requestedElsewhere } = await openDocs(context)
  const summaries = Object.values(description.paths).flatMap((item) =>
    Object.values(item).flatMap((operation: object) =>
      'summary' in operation ? [String(operation.summary)] : [],
    ),
  )
  expect(summaries).toHaveLength(Object.keys(operations).length)
  for (const summary of summaries) {
    expect(await page.getByRole('heading', { name: summary }).first().isVisible()).toBe(true)
  }
  const text = (await page.textContent('body')) ?? ''
  for (const { path } of Object.values(operations)) expect(text).toContain(path)
  expect(text).toMatch(/one of/i)
  expect(text).toContain('string or null')

  await enterKey(page, apiKey)
  const section = await formOf(page, 'getOpeningHours')
  await submit(section)
  await section.getByText('200 OK').waitFor()
  await expectAccessible(page)
  expect(errors).toEqual([])
  expect(requestedElsewhere()).toEqual([])
})

test('a deprecated operation is marked, with the day of its removal and a link to its replacement', async (context) => {
  const { page } = await openDocs(context)
  const section = page.locator('#getManual')
  const text = await section.innerText()
  expect(text).toContain('Deprecated since 20 November 2026.')
  expect(text).toContain('It will be removed on 31 January 2031.')
  const { replacedBy } = operations.getManual.deprecation
  await section.getByRole('link', { name: replacedBy.description }).click()
  expect(new URL(page.url()).hash).toBe(`#${replacedBy.operationId}`)
  expect(await page.getByRole('navigation').getByText('deprecated').count()).toBe(1)
})

test('every link within the page has a target, and shows it', async (context) => {
  const { page } = await openDocs(context)
  const broken = await page
    .locator('a[href^="#"]')
    .evaluateAll((links) =>
      links
        .map((link) => link.getAttribute('href') ?? '')
        .filter((to) => document.getElementById(to.slice(1)) === null),
    )
  expect(broken).toEqual([])
  const shared = page.getByText('api_key_banned').first()
  expect(await shared.isVisible()).toBe(false)
  await page.locator('#listTools').getByRole('link', { name: 'TooManyRequests' }).click()
  await shared.waitFor({ state: 'visible' })
})

test('the search field finds operations, and has a keyboard shortcut', async (context) => {
  const { page } = await openDocs(context)
  const search = page.getByRole('searchbox')
  await search.waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('post tool')
  expect(await search.inputValue()).toBe('post tool')
  const navigation = page.getByRole('navigation')
  expect(await navigation.getByRole('link', { name: 'Create a tool' }).isVisible()).toBe(true)
  expect(await navigation.getByRole('link', { name: 'Delete a tool' }).isVisible()).toBe(false)
  const body = (await formOf(page, 'createTool')).getByRole('textbox', { name: 'Body' })
  await body.focus()
  await page.keyboard.press('/')
  expect(await body.inputValue()).toContain('/')
})

test('the reference can be read without JavaScript', async (context) => {
  const { origin, context: browser } = await openDocs(context)
  const plain = await browser.browser()?.newContext({ javaScriptEnabled: false })
  const page = await plain?.newPage()
  await page?.goto(`${origin}/docs`)
  expect(await page?.locator('#createTool').innerText()).toContain('curl ')
  expect(await page?.getByLabel('API key').isVisible()).toBe(false)
  expect(await page?.getByRole('button', { name: 'Send' }).count()).toBe(0)
  await plain?.close()
})

test('a request is sent with the API key, and its response is shown with its headers', async (context) => {
  const { page, apiKey, errors, send, baseUrl, origin } = await openDocs(context)
  const stored = async () => (await send(`${baseUrl.slice(origin.length)}/tools`)).json()
  await enterKey(page, apiKey)
  const section = await formOf(page, 'createTool')
  await section.getByRole('combobox').selectOption({ index: 1 })
  const body = section.getByRole('textbox', { name: 'Body' })
  expect(JSON.parse(await body.inputValue())).toMatchObject({ kind: 'saw' })
  await body.fill('{ "kind": "drill", "name": "Bit", "power": 200 }')
  await section.getByLabel('Idempotency-Key').fill('a-try-of-mine')
  await submit(section)
  await section.getByText('201 Created').waitFor()
  const added = { id: 1, kind: 'drill', name: 'Bit', power: 200 }
  expect(JSON.parse(await section.getByRole('status').locator('pre').innerText())).toEqual(added)
  expect(await stored()).toEqual([added])
  const shown = await section.getByRole('status').innerText()
  for (const header of [/content-type\s+application\/json/, /cache-control\s+no-store/]) {
    expect(shown).toMatch(header)
  }
  expect(shown).toMatch(/x-ratelimit-limit\s+\d+/)
  expect(shown).toMatch(/x-request-id\s+[0-9a-f-]{36}/)
  await submit(section)
  await section.getByRole('status').getByText('idempotent-replayed').waitFor()
  expect(await stored()).toHaveLength(1)
  expect(errors).toEqual([])
})

test('parameters are sent as typed, and error responses are shown', async (context) => {
  const { page, apiKey } = await openDocs(context)
  const section = await formOf(page, 'listTools')
  await submit(section)
  await section.getByText('401 Unauthorized').waitFor()
  expect(await section.getByRole('status').innerText()).toContain('missing_api_key')
  await enterKey(page, apiKey)
  await section.getByLabel('limit', { exact: false }).fill('0')
  await submit(section)
  await section.getByText('400 Bad Request').waitFor()
  expect(await section.getByRole('status').innerText()).toContain('/query/limit')
  const loan = await formOf(page, 'getLoan')
  await loan.getByLabel('member').fill('b/ö')
  await submit(loan)
  await loan.getByText('200 OK').waitFor()
  expect(await loan.getByRole('status').innerText()).toContain('b/ö')
})

// Passes when a list of integers that is not exploded is sent as the service reads it.
test.fails('the examples that a form begins with make a valid request', async (context) => {
  const { page, apiKey } = await openDocs(context)
  await enterKey(page, apiKey)
  const section = await formOf(page, 'listTools')
  await submit(section)
  await section.getByText(/^(200 OK|400 Bad Request)$/).waitFor()
  expect(await section.getByRole('status').innerText()).toContain('200 OK')
})

test('a request that cannot be sent, or gets no response, is reported', async (context) => {
  const { page, stop } = await openDocs(context)
  const section = await formOf(page, 'createTool')
  await section.getByLabel('Idempotency-Key').fill('käse 🧀')
  await submit(section)
  await section.getByText('the fields can be sent').waitFor()
  await section.getByLabel('Idempotency-Key').fill('')
  await stop()
  await submit(section)
  await section.getByText('No answer came').waitFor()
})

test('the API key is kept for the tab alone, until it is cleared', async (context) => {
  const { page, context: browser, origin, apiKey } = await openDocs(context)
  await enterKey(page, apiKey)
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

test('code samples, of the client first, follow the form and are copied without the API key', async (context) => {
  const { page, apiKey, origin } = await openDocs(context)
  await enterKey(page, apiKey)
  const section = await formOf(page, 'createTool')
  const sample = section.locator('pre:visible').filter({ hasText: 'Ryoba' }).first()
  await section.getByRole('textbox', { name: 'Body' }).fill(`{ "kind": "saw", "name": "O'Ryoba" }`)
  expect(await sample.innerText()).toContain("from 'animal-store-client'")
  expect(await sample.innerText()).toContain(`baseUrl: '${origin}/lending/v2'`)
  expect(await sample.innerText()).toContain(
    String.raw`createTool({ kind: 'saw', name: 'O\'Ryoba' })`,
  )
  await section.getByRole('tab', { name: 'animal-store-client' }).focus()
  await page.keyboard.press('ArrowRight')
  await section.getByRole('tab', { name: 'curl', selected: true }).waitFor()
  await section.getByRole('button', { name: 'Copy' }).click()
  await section.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `curl '${origin}/lending/v2/tools' \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"kind":"saw","name":"O'\\''Ryoba"}'
`,
  )
  expect(await page.content()).not.toContain(apiKey)
})

/** Returns the fixture API with other texts in its description. */
function withTexts(change: (key: string, text: string) => string, schemas: object = {}): Api {
  const text = JSON.stringify(description, (key, value: unknown) =>
    typeof value === 'string' && /^(description|summary|title)$/.test(key)
      ? change(key, value)
      : value,
  )
  const edited = JSON.parse(text)
  Object.assign(edited.components.schemas.Manual.properties, schemas)
  return { ...fixtureApi, description: edited }
}

const markup = `<img src=x onerror="document.title='owned'">`
const hostile = `${markup} [${markup}](javascript:alert(1)) <javascript:alert(1)> \`${markup}\` **${markup}**

| ${markup} |
|---|
| ${markup} |

- ${markup}

\`\`\`${markup}
${markup}
\`\`\`
`

test('markup in a description is shown as text, and runs nothing', async (context) => {
  const constraints = { enum: [markup], default: markup, pattern: 'img', examples: [markup] }
  const api = withTexts((key) => (key === 'description' ? hostile : markup), {
    [markup]: { type: 'string', description: hostile, ...constraints },
  })
  const { page, errors } = await openDocs(context, api)
  expect(await page.locator('img[src=x]').count()).toBe(0)
  expect(await page.locator('[onerror], a[href^="javascript:"]').count()).toBe(0)
  expect(await page.title()).not.toBe('owned')
  expect(((await page.textContent('body')) ?? '').split('<img').length).toBeGreaterThan(40)
  expect(errors).toEqual([])
})

test('Markdown in a description is formatted, and a schema that refers to itself is shown', async (context) => {
  const part = { type: 'array', items: { $ref: '#/components/schemas/Manual' } }
  const markdown = `# Title
a **bold** _word_ and \`code\` at [here](https://a.example/b_c_d), snake_case_name and 2 * 3 * 4

1. one
2. two
   more

\`\`\`
a < b

c
\`\`\``
  const api = withTexts((_, text) => (text.startsWith('The manual') ? markdown : text), {
    parts: part,
  })
  const { page } = await openDocs(context, api)
  const shown = async (selector: string) =>
    (await page.locator(selector).allTextContents()).map((text) => text.trim())
  expect(await shown('strong, h1, h2, h3, h4')).toContain('Title')
  expect(await shown('strong')).toContain('bold')
  expect(await shown('em')).toContain('word')
  expect(await shown('code')).toContain('code')
  expect(await shown('a[href="https://a.example/b_c_d"]')).toContain('here')
  expect(await shown('ol > li')).toEqual(expect.arrayContaining(['one', 'two\nmore']))
  expect(await shown('pre')).toContain('a < b\n\nc')
  expect(await page.textContent('body')).toContain('snake_case_name and 2 * 3 * 4')
  expect(await page.textContent('body')).toMatch(/array of Manual/i)
})
