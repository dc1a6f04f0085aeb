import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { onTestFinished, type TestContext } from 'vitest'

const names = ['chromium', 'chromium-browser', 'google-chrome']

/**
 * Opens an empty page in the Chromium that the machine has, in a browser that ends with the test;
 * without one the test is left out, which CI does not let pass.
 */
export async function openPage({ skip }: TestContext): Promise<Page> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  const executablePath = paths.find((path) => existsSync(path))
  if (executablePath === undefined) {
    return skip('there is no Chromium on the PATH; on Debian: apt-get install chromium')
  }
  const args = ['--disable-background-networking', '--disable-component-update', '--no-first-run']
  const browser = await chromium.launch({ executablePath, args })
  onTestFinished(() => browser.close())
  return browser.newPage()
}
