import { expect, test } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { startTestService } from '../support/service.ts'
import { visit } from './support/visit.ts'

test('a deprecated operation says until when, and leads to what replaces it', async (context) => {
  const { origin } = await startTestService()
  const { page } = await visit(context)
  await page.goto(`${origin}/docs`)
  const { deprecation, operationId } = operations.getPet
  const notice = page.locator(`#${operationId} .notice`)
  const times = await notice
    .locator('time')
    .evaluateAll((all) => all.map((time) => time.getAttribute('datetime')))
  expect(times).toEqual([deprecation.since, deprecation.sunset])
  expect(await notice.innerText()).toContain('It goes on 5 December 2030.')
  await notice.getByRole('link', { name: deprecation.replacedBy.description }).click()
  expect(new URL(page.url()).hash).toBe(`#${deprecation.replacedBy.operationId}`)
  expect(await page.locator('.notice').count()).toBe(1)
  expect(await page.getByRole('navigation').getByText('deprecated').count()).toBe(1)
})

test('a link to what operations share unfolds it', async (context) => {
  const { origin } = await startTestService()
  const { page } = await visit(context)
  await page.goto(`${origin}/docs`)
  const shared = page.locator('#answer-TooManyRequests')
  expect(await shared.isVisible()).toBe(false)
  await page.locator('#listPets').getByRole('link', { name: 'TooManyRequests' }).click()
  await shared.waitFor({ state: 'visible' })
  expect(await shared.innerText()).toContain('api_key_banned')
})

test('every link within the page leads somewhere', async (context) => {
  const { origin } = await startTestService()
  const { page } = await visit(context)
  await page.goto(`${origin}/docs`)
  const lost = await page
    .locator('a[href^="#"]')
    .evaluateAll((links) =>
      links
        .map((link) => link.getAttribute('href') ?? '')
        .filter((to) => document.getElementById(to.slice(1)) === null),
    )
  expect(lost).toEqual([])
})

test('a slash leads to the field that narrows the contents, unless one is writing', async (context) => {
  const { origin } = await startTestService()
  const { page } = await visit(context)
  await page.goto(`${origin}/docs`)
  await page.locator('#filter').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('post animal')
  expect(await page.inputValue('#filter')).toBe('post animal')
  expect(await page.locator('[data-entry]:visible').allInnerTexts()).toEqual([
    expect.stringContaining('Add an animal'),
  ])
  expect(await page.locator('[data-found]').innerText()).toBe('1 of 3 operations')
  await page.locator('#createPet').scrollIntoViewIfNeeded()
  await page.focus('#createPet textarea')
  await page.keyboard.press('/')
  expect(await page.inputValue('#createPet textarea')).toContain('/')
})

test('the reference can be read without JavaScript', async (context) => {
  const { origin } = await startTestService()
  const { context: browser } = await visit(context)
  const plain = await browser.browser()?.newContext({ javaScriptEnabled: false })
  const page = await plain?.newPage()
  await page?.goto(`${origin}/docs`)
  expect(await page?.locator('#createPet [data-sample]').allInnerTexts()).toHaveLength(2)
  expect(await page?.getByLabel('API key').isVisible()).toBe(false)
  expect(await page?.getByRole('button', { name: 'Send POST' }).isVisible()).toBe(false)
})
