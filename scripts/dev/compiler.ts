import { once } from 'node:events'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { type Artifacts, compile } from '../pipeline/artifacts.ts'
import { isFailure } from '../pipeline/failure.ts'
import { projectSpec } from '../pipeline/project.ts'

/** What the description compiles into, or what is wrong with it, in lines. */
export type Compiled = { readonly artifacts: Artifacts } | { readonly errors: readonly string[] }

/** Lints and compiles the description in a thread, which keeps the linter and its rules loaded. */
export class Compiler {
  #thread: Worker | undefined

  async compile(): Promise<Compiled> {
    this.#thread ??= new Worker(new URL(import.meta.url))
    const compiled = once(this.#thread, 'message')
    this.#thread.postMessage('compile')
    return (await compiled)[0]
  }

  /** Ends the thread; the next one loads the lint rules again. */
  async reload(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }
}

if (!isMainThread) {
  parentPort?.on('message', async () => {
    const compiled = await compile(projectSpec, 'strict').catch((error: unknown) => {
      return { errors: isFailure(error) ? error.message.split('\n') : [String(error)] }
    })
    parentPort?.postMessage(compiled)
  })
}
