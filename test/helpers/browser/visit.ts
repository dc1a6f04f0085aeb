import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, type TestContext, vi } from 'vitest'
import { needCommand } from '../program.ts'

// A busy machine may need minutes for what takes seconds on an idle one.
vi.setConfig({ testTimeout: 400_000 })

// One browser for all tests of a file.
let browser: Browser | undefined
afterAll(() => browser?.close())

/**
 * Opens a page that may use the clipboard, in a browser context of its own. Without a Chromium on the
 * machine the test is skipped, which fails a run of CI.
 */
export async function visit(test: TestContext) {
  browser ??= await chromium.launch({
    executablePath: needCommand(test, 'chromium', 'chromium-browser', 'google-chrome'),
    args: ['--disable-background-networking', '--disable-component-update', '--no-first-run'],
  })
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  onTestFinished(() => context.close())
  // Less than the timeout of a test, so that a failure names the missing element.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  // Console messages and exceptions, violations of the content security policy among them.
  const errors: string[] = []
  const requested: string[] = []
  page.on('console', (message) => {
    if (!/^(log|info)$/.test(message.type())) {
      errors.push(`${message.type()}: ${message.text()}`)
    }
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('request', (request) => requested.push(request.url()))
  /** Returns the URLs that were requested from other origins than the page's own. */
  const requestedElsewhere = () =>
    requested.filter((url) => new URL(url).origin !== new URL(page.url()).origin)
  return { page, context, errors, requestedElsewhere }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const run = `axe.run(document, { iframes: false }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ target, failureSummary }) => id + ' at ' + target + ': ' + failureSummary)))`

/**
 * Expects that axe finds nothing outside frames, and that no content is wider than the page, in light
 * mode on a wide screen and in dark mode on a narrow one.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const [colorScheme, width] of [['light', 1440] as const, ['dark', 390] as const]) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate(axe)
    expect(await page.evaluate(run), colorScheme).toEqual([])
    const contentWidth = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(contentWidth, colorScheme).toBeLessThanOrEqual(width)
  }
}
