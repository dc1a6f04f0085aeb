import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import type { TestContext } from 'vitest'

const names = ['chromium', 'chromium-browser', 'google-chrome']

/**
 * Starts the Chromium that the machine has; without one the test is skipped, which CI does not let
 * pass. The caller closes it.
 */
export async function launchChromium({ skip }: Pick<TestContext, 'skip'>): Promise<Browser> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  const executablePath = paths.find((path) => existsSync(path))
  if (executablePath === undefined) {
    return skip('there is no Chromium on the PATH; on Debian: apt-get install chromium')
  }
  const args = ['--disable-background-networking', '--disable-component-update', '--no-first-run']
  return chromium.launch({ executablePath, args })
}
