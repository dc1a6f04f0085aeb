import { once } from 'node:events'
import {
  isMainThread,
  MessageChannel,
  type MessagePort,
  parentPort,
  Worker,
} from 'node:worker_threads'
import { type Artifacts, compile } from '../pipeline/artifacts.ts'
import { isFailure } from '../pipeline/failure.ts'
import { describeConfigError } from '../pipeline/lint.ts'
import { projectSpec } from '../pipeline/project.ts'

/** What the description compiles into, or what is wrong with it, in lines. */
export type Compiled = { readonly artifacts: Artifacts } | { readonly errors: readonly string[] }

/** Lints and compiles the description in a thread, which keeps the linter and its rules loaded. */
export class Compiler {
  #thread: Worker | undefined

  async compile(): Promise<Compiled> {
    this.#thread ??= new Worker(new URL(import.meta.url))
    // A response of its own, because a newer save may have asked before this one is compiled.
    const { port1, port2 } = new MessageChannel()
    const done = new AbortController()
    // The thread ends if it is reloaded, and if a rule cannot be loaded: then `once` rejects.
    const thread = this.#thread
    const ended = once(thread, 'exit', done)
    thread.postMessage(port2, [port2])
    try {
      const [compiled] = await Promise.race([once(port1, 'message'), ended])
      if (typeof compiled === 'object') return compiled
      return { errors: ['the linter was stopped'] }
    } catch (error) {
      if (this.#thread === thread) this.#thread = undefined
      return { errors: [describeConfigError(error)] }
    } finally {
      port1.close()
      done.abort()
    }
  }

  /** Ends the thread; the next one loads the lint rules again. */
  async reload(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }
}

if (!isMainThread) {
  parentPort?.on('message', async (port: MessagePort) => {
    const compiled = await compile(projectSpec, 'strict').catch((error: unknown) => {
      return { errors: isFailure(error) ? error.message.split('\n') : [String(error)] }
    })
    port.postMessage(compiled)
  })
}
