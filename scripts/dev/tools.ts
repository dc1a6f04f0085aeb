import { mkdirSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { responsesStep } from '../checks/responses-step.ts'
import { projectPath, shortPath } from '../pipeline/project.ts'
import { createContractStep } from './contract-step.ts'
import type { DifferResult } from './differ-process.ts'
import { createForwarder } from './forward.ts'
import { createFront } from './front.ts'
import type { LoopStateHolder } from './loop-state-holder.ts'
import { createReferenceBuild } from './reference.ts'
import { createServiceHost, type ServiceHost } from './service-host.ts'
import { createStudio } from './studio.ts'
import { createTypeChecker, type TypeChecker } from './type-checker.ts'
import { createWorker, type Worker } from './worker.ts'

/** What a run of the loop works with; most of it are processes that stay. */
export interface Tools {
  readonly contract: ReturnType<typeof createContractStep>
  readonly types: TypeChecker
  readonly differ: Worker<{ readonly spec: string }, DifferResult>
  readonly host: ServiceHost
  /** Validates the responses that the service makes itself. */
  readonly responses: { readonly run: () => Promise<readonly string[]> }
  /** Builds the reference page. */
  readonly reference: ReturnType<typeof createReferenceBuild>
  /** Ends everything. */
  readonly stop: () => Promise<void>
}

export interface ToolsOptions {
  readonly state: LoopStateHolder
  readonly print: (text: string) => void
  /** Told when the service ended by itself. */
  readonly onEnded: (how: string) => void
}

/** Starts the tools of the loop. */
export function createTools({ state, print, onEnded }: ToolsOptions): Tools {
  const log = resolve('data/dev-service.log')
  // The store is kept there too: for its owner alone.
  mkdirSync(resolve('data'), { recursive: true, mode: 0o700 })
  const host: ServiceHost = createServiceHost({
    // Another loop may be writing there as well.
    log: openSync(log, 'a'),
    onEnded,
    onNotice: print,
    async onWanted(address, port) {
      const origin = await front.listen(address, port)
      state.set({ service: origin })
      print(`The designer's page is ${origin}/studio, the log of the service ${shortPath(log)}.`)
      return origin
    },
    onAnswered: ({ request }) => state.set({ requests: [...state.get().requests, request] }),
  })
  const front = createFront(createForwarder(host.port), createStudio(state))
  // It is loaded while the description is compiled.
  host.prepare()
  const contract = createContractStep()
  const types = createTypeChecker()
  const differ = createWorker<{ readonly spec: string }, DifferResult>(
    projectPath('scripts/dev/differ-process.ts'),
  )
  const responses = createResponses()
  const reference = createReferenceBuild(state, print)
  return {
    host,
    contract,
    types,
    differ,
    responses,
    reference,
    async stop() {
      const all = [front, host, contract, types, differ, responses, reference]
      await Promise.allSettled(all.map((tool) => tool.stop()))
    },
  }
}

/** The responses are those of the mock, which runs whether or not every operation has a handler. */
function createResponses() {
  const stopping = new AbortController()
  const { run } = responsesStep('server/commands/mock.ts', stopping.signal)
  let last: Promise<unknown> = Promise.resolve()
  return {
    run() {
      const running = run()
      last = running
      return running
    },
    async stop() {
      stopping.abort()
      await last
    },
  }
}
