import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, type TestContext } from 'vitest'
import { launchChromium } from '../../package/support/chromium.ts'

/** How a page is looked at. */
export interface Look {
  readonly scheme: 'light' | 'dark'
  readonly width: 1440 | 390
}

/** The ways in which every page is looked at. */
export const looks: readonly Look[] = [
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 1440 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 390 },
]

/** A tab of a browser, and what went wrong in it. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** What the browser complained about: errors, refusals of the content security policy. */
  readonly complaints: readonly string[]
  /** The addresses of everything that was asked for. */
  readonly requested: readonly string[]
}

// One for all tests of a file: a start takes as long as many of them.
let browser: Browser | undefined
afterAll(() => browser?.close())

/** Opens a tab that may use the clipboard, in a window of its own that ends with the test. */
export async function visit(
  test: TestContext,
  { scheme, width }: Look = { scheme: 'light', width: 1440 },
): Promise<Visit> {
  browser ??= await launchChromium(test)
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  onTestFinished(() => context.close())
  // Before the test's own limit, so that a failure names what was waited for.
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const complaints: string[] = []
  const requested: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'log') complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => requested.push(request.url()))
  return { page, context, complaints, requested }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const run = `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ target, failureSummary }) => id + ' at ' + target + ': ' + failureSummary)))`

/** Expects that axe finds nothing on a page as it is now, its frames included. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const frame of page.frames()) await frame.evaluate(axe)
  expect(await page.evaluate(run)).toEqual([])
}

const folder = join(import.meta.dirname, '../screenshots')

/** Takes a picture of a page for people to look at: `test/browser/screenshots/NAME-LOOK.png`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 }
  const isDark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
  const file = `${name}-${isDark === true ? 'dark' : 'light'}-${width}.png`
  await page.screenshot({ path: join(folder, file) })
}
