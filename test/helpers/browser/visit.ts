import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished, type TestContext } from 'vitest'
import { atFileEnd } from '../file-end.ts'
import { needCommand } from '../program.ts'

// One browser for all tests of a file.
let browser: Promise<Browser> | undefined

function launch(executablePath: string): Promise<Browser> {
  const launched = chromium.launch({
    executablePath,
    args: ['--disable-background-networking', '--disable-component-update', '--no-first-run'],
  })
  atFileEnd(async () => {
    browser = undefined
    await (await launched).close()
  })
  return launched
}

/**
 * Opens a page that may use the clipboard, in a browser context of its own. Without a Chromium on the
 * machine the test is skipped, which fails a run of CI.
 */
export async function visit(test: TestContext) {
  browser ??= launch(needCommand(test, 'chromium', 'chromium-browser', 'google-chrome'))
  const opened = await browser
  const context = await opened.newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  onTestFinished(() => context.close())
  // Less than the timeout of a test, so that a failure names the missing element.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  // Console messages and exceptions, violations of the content security policy among them.
  const errors: string[] = []
  // All of them, information as well.
  const messages: string[] = []
  const requested: string[] = []
  page.on('console', (message) => {
    messages.push(`${message.type()}: ${message.text()}`)
    if (!/^(log|info)$/.test(message.type())) {
      errors.push(`${message.type()}: ${message.text()}`)
    }
  })
  page.on('pageerror', ({ message }) => {
    errors.push(message)
    messages.push(message)
  })
  page.on('request', (request) => requested.push(request.url()))
  /** Returns the URLs that were requested from other origins than the page's own. */
  const requestedElsewhere = () =>
    requested.filter((url) => new URL(url).origin !== new URL(page.url()).origin)
  return { page, context, errors, messages, requestedElsewhere }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const run = `axe.run(document, { iframes: false }).then(({ violations }) => violations.flatMap(({ id, nodes, impact }) =>
  nodes.map(({ target, failureSummary }) => ({ impact, text: id + ' at ' + target + ': ' + failureSummary }))))`

interface Violation {
  readonly impact: string
  readonly text: string
}

/** Returns what axe finds outside frames. */
async function findViolations(page: Page): Promise<readonly Violation[]> {
  await page.evaluate(axe)
  return page.evaluate<readonly Violation[]>(run)
}

/** Returns the violations that axe calls serious or critical. */
export async function findSevere(page: Page): Promise<readonly string[]> {
  const violations = await findViolations(page)
  const severe = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return severe.map(({ text }) => text)
}

/**
 * Expects that axe finds nothing outside frames, and that no content is wider than the page, in light
 * mode on a wide screen and in dark mode on a narrow one.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const [colorScheme, width] of [['light', 1440] as const, ['dark', 390] as const]) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    const violations = await findViolations(page)
    expect(
      violations.map(({ text }) => text),
      colorScheme,
    ).toEqual([])
    const contentWidth = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(contentWidth, colorScheme).toBeLessThanOrEqual(width)
  }
}
