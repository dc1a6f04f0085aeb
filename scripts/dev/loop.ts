import { setTimeout as wait } from 'node:timers/promises'
import { UsageError } from '../pipeline/failure.ts'
import { writeBlock } from './block.ts'
import { toFinding } from './contract-step.ts'
import { type FileChanges, isChange, noChanges } from './file-changes.ts'
import type { LoopState } from './loop-state.ts'
import { createLoopState, type LoopStateHolder } from './loop-state-holder.ts'
import { ofInterest, runOnce, toChange, watched } from './run.ts'
import type { Attempt } from './service-attempt.ts'
import { createStopwatch } from './steps.ts'
import { createTools, type Tools } from './tools.ts'
import { createWatcher, type Watcher } from './watcher.ts'

/** The designer's loop while it runs. */
export interface Loop {
  /** Resolves when the loop was stopped; rejects with a `UsageError` when it cannot begin. */
  readonly ended: Promise<void>
  /** Ends the loop and all that it started. */
  readonly stop: () => Promise<void>
}

/** How often the service may end by itself between two saves. */
const mostEnds = 4

type Print = (text: string) => void

/** Starts the loop: it runs once, and again after every save. */
export function startLoop(write: Print): Loop {
  const state = createLoopState()
  let isStopping = false
  let ends = 0
  // What comes to light while everything ends is of no interest.
  const print: Print = (text) => void (isStopping || write(text))
  let watcher: Watcher | undefined
  let turn: Promise<void> = Promise.resolve()

  // A run and a restart after an end are never at work at the same time.
  function inTurn(work: () => Promise<void>): Promise<void> {
    turn = turn.then(work)
    return turn
  }

  const tools = createTools({
    state,
    print,
    onEnded(how) {
      const end = { how, isLast: ++ends >= mostEnds }
      void inTurn(() => serveAgain(tools, state, end, print)).catch(() => undefined)
    },
  })

  async function loop(): Promise<void> {
    watcher = await createWatcher(watched)
    await inTurn(() => run(tools, state, noChanges, print))
    while (!isStopping) {
      const changes = ofInterest(await watcher.next())
      ends = 0
      if (isChange(changes)) await inTurn(() => run(tools, state, changes, print))
    }
    watcher.stop()
  }

  return {
    ended: loop(),
    async stop() {
      isStopping = true
      watcher?.stop()
      await tools.stop()
    },
  }
}

/** Milliseconds that the next service waits to be loaded, so that it does not hold up the types. */
const patience = 800

async function run(
  tools: Tools,
  state: LoopStateHolder,
  changes: FileChanges,
  print: Print,
): Promise<void> {
  const stopwatch = createStopwatch()
  try {
    const { rest, isServed } = await runOnce(tools, state, changes, stopwatch)
    const { run } = state.get()
    const note = (found: Partial<LoopState>) => {
      // After the next save this is of no interest.
      if (state.get().run !== run) return
      const isHealthy = isHealthyState({ ...state.get(), ...found })
      state.set({ ...found, isHealthy, milliseconds: stopwatch.read() })
      print(writeBlock(state.get(), new Date()))
    }
    const noting = rest
      .then(note)
      .finally(() => tools.reference.start())
      .then(() => (isServed ? noteResponses(tools, state, note) : undefined))
      .catch((error) => print(fault(error)))
    await Promise.race([noting, wait(patience, undefined, { ref: false })])
  } catch (error) {
    if (error instanceof UsageError) throw error
    print(fault(error))
  }
  tools.host.prepare()
}

async function noteResponses(
  { responses }: Tools,
  state: LoopStateHolder,
  note: (found: Partial<LoopState>) => void,
): Promise<void> {
  const found = (await responses.run()).map(toFinding)
  // Most saves change nothing here.
  if (found.length > 0 || (state.get().responses ?? []).length > 0) note({ responses: found })
}

function isHealthyState({ lint, responses = [], code, trouble }: LoopState): boolean {
  const findings = [...lint, ...responses, ...code]
  return findings.length === 0 && trouble === undefined
}

function fault(error: unknown): string {
  return `The loop failed at this save; the next one starts anew. ${String(error)}`
}

/** Starts the service that ended by itself; one that does not stay waits for the next save. */
async function serveAgain(
  { host }: Tools,
  state: LoopStateHolder,
  { how, isLast }: { readonly how: string; readonly isLast: boolean },
  print: Print,
): Promise<void> {
  const attempt: Attempt = isLast
    ? { kind: 'failed', message: `It ends again and again (${how}); its log may say why.` }
    : await host.restart()
  state.set(toChange(attempt))
  const trouble = attempt.kind === 'failed' ? `. ${attempt.message}` : ' and runs again.'
  print(`The service ended by itself (${how})${trouble}`)
  if (isLast) state.set({ isHealthy: false })
  else host.prepare()
}
