import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { LoopState } from '../../../scripts/dev/loop-state.ts'
import { createSharedCopy, removeCopy } from '../../edits/support/project-copy.ts'
import { type DesignerLoop, startLoopIn } from './designer-loop.ts'

/** A copy of the project with a loop in it that all tests of a file share. */
export interface SharedLoop {
  readonly copy: () => string
  readonly loop: () => DesignerLoop
  /** The path of the spec in the copy. */
  readonly spec: () => string
  /** The spec as it was before any edit. */
  readonly original: () => string
  /** Waits for the first state after a save that is as it should be, and what was printed since. */
  readonly afterSave: (
    save: () => Promise<unknown>,
    isWanted: (state: LoopState) => boolean,
  ) => Promise<{ readonly state: LoopState; readonly printed: () => string }>
}

/** Shares a loop among the tests of a file; before each test the spec is as it was. */
export function shareLoop(): SharedLoop {
  let copy = ''
  let original = ''
  let loop: DesignerLoop | undefined
  const running = (): DesignerLoop => {
    if (loop === undefined) throw new Error('the loop has not started')
    return loop
  }
  const shared: SharedLoop = {
    copy: () => copy,
    loop: running,
    spec: () => join(copy, 'spec/openapi.yaml'),
    original: () => original,
    async afterSave(save, isWanted) {
      const { run } = await running().until(() => true)
      const from = running().printed().length
      await save()
      const state = await running().until((now) => now.run > run && isWanted(now))
      return { state, printed: () => running().printed().slice(from) }
    },
  }

  beforeAll(async () => {
    copy = await createSharedCopy()
    original = await readFile(shared.spec(), 'utf8')
    loop = await startLoopIn(copy)
  })
  afterAll(async () => {
    await loop?.end('SIGTERM')
    await removeCopy(copy)
  })
  beforeEach(async () => {
    if ((await readFile(shared.spec(), 'utf8')) === original) return
    const mend = () => writeFile(shared.spec(), original)
    await shared.afterSave(mend, ({ isHealthy }) => isHealthy)
  })
  return shared
}
