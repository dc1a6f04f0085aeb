import { projectOutput } from '../pipeline/project.ts'
import { buildReferencePage } from '../pipeline/reference-page.ts'
import type { LoopStateHolder } from './loop-state-holder.ts'

/** Builds the reference page in the background, when a run has reported everything else. */
export function createReferenceBuild(state: LoopStateHolder, print: (text: string) => void) {
  const stopping = new AbortController()
  const { signal } = stopping
  let last: Promise<void> = Promise.resolve()

  async function build(run: number): Promise<void> {
    // The build of a later save is waiting already.
    if (signal.aborted || state.get().run !== run) return
    try {
      if (!(await buildReferencePage(projectOutput, { signal, force: false }))) return
      state.set({ referenceBuilds: state.get().referenceBuilds + 1 })
    } catch (error) {
      if (!signal.aborted) print(`The reference page was not built. ${String(error)}`)
    }
  }

  return {
    /** Builds the page of the description in generated/, unless it is current. */
    start(): void {
      const { run } = state.get()
      last = last.then(() => build(run))
    },
    async stop(): Promise<void> {
      stopping.abort()
      await last
    },
  }
}
