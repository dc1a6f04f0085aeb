import { once } from 'node:events'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { type Compiled, compile } from '../pipeline/artifacts.ts'
import { isFailure } from '../pipeline/failure.ts'
import { describeConfigError } from '../pipeline/lint.ts'
import { projectSpec } from '../pipeline/project.ts'

/** The compiled description, or its errors, a line for each. */
type Result = Compiled | { readonly errors: readonly string[] }

/** Lints and compiles the description in a thread, which keeps the linter and its rules loaded. */
export class Compiler {
  #thread: Worker | undefined

  /** Compiles the description as it is now; the call before must have ended. */
  async compile(): Promise<Result> {
    this.#thread ??= new Worker(new URL(import.meta.url))
    const done = new AbortController()
    // The thread ends with the loop, and when a rule cannot be loaded: then `once` rejects.
    const ended = once(this.#thread, 'exit', done)
    this.#thread.postMessage('compile')
    try {
      const [compiled] = await Promise.race([once(this.#thread, 'message', done), ended])
      return typeof compiled === 'object' ? compiled : { errors: ['the linter was stopped'] }
    } catch (error) {
      this.#thread = undefined
      return { errors: [describeConfigError(error)] }
    } finally {
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
  parentPort?.on('message', async () => {
    const compiled = await compile(projectSpec, 'strict').catch((error: unknown) => {
      return { errors: isFailure(error) ? error.message.split('\n') : [String(error)] }
    })
    parentPort?.postMessage(compiled)
  })
}
