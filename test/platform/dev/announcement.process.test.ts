import { expect, onTestFinished, test } from 'vitest'
import { createForwarder } from '../../../scripts/dev/forward.ts'
import { createFront } from '../../../scripts/dev/front.ts'
import type { LoopState } from '../../../scripts/dev/loop-state.ts'
import { createLoopState } from '../../../scripts/dev/loop-state-holder.ts'
import { createStudio } from '../../../scripts/dev/studio.ts'
import { visit } from '../../helpers/browser/visit.ts'

const healthy: LoopState = {
  run: 1,
  saved: [],
  milliseconds: { lint: 210, generate: 120, types: 180, restart: 90, total: 600 },
  isHealthy: true,
  service: 'http://127.0.0.1:1',
  lint: [],
  diff: {
    step: 'none',
    base: { version: '1.0.0', ref: 'v1.0.0' },
    current: { version: '1.0.0' },
    needed: '1.0.0',
    changes: [],
  },
  code: [],
  operations: [],
  requests: [],
}

// The state between lint and types is too short to be met by a real save.
test('the live region of the studio announces a run when its types are checked, not before', async (context) => {
  const state = createLoopState()
  const front = createFront(
    createForwarder(async () => 1),
    createStudio(state),
  )
  state.set(healthy)
  const origin = await front.listen('127.0.0.1', 0)
  onTestFinished(() => front.stop())
  const { page } = await visit(context)
  await page.goto(`${origin}/studio`)
  await page.getByText('Healthy', { exact: true }).first().waitFor()
  const announcement = page.locator('#announcement')
  const before = await announcement.innerText()
  state.set({ ...healthy, run: 2, isHealthy: false })
  await page.getByText('run 2').waitFor()
  expect(await announcement.innerText()).toBe(before)
  state.set({ ...healthy, run: 2 })
  await expect.poll(() => announcement.innerText()).toBe('All is well.')
})
