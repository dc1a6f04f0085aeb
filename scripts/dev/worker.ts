import { type ChildProcess, fork } from 'node:child_process'

/** A process that does jobs one after the other, with everything that it needs loaded already. */
export interface Worker<Job, Result> {
  readonly ask: (job: Job) => Promise<Result>
  /** Ends the process; the next job gets a new one. */
  readonly renew: () => void
  readonly stop: () => Promise<void>
}

/** What a worker says of a job. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: string }

interface Pending<Result> {
  readonly settle: (result: Result) => void
  readonly fail: (error: Error) => void
}

/** Makes a worker of a program that calls `answerJobs`; a process that dies fails its jobs only. */
export function createWorker<Job, Result>(file: string): Worker<Job, Result> {
  let child = start()
  let isStopped = false

  function start() {
    const process = fork(file, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const pending: Pending<Result>[] = []
    process.on('message', (outcome: Outcome<Result>) => {
      const first = pending.shift()
      if ('result' in outcome) first?.settle(outcome.result)
      else first?.fail(new Error(outcome.error))
    })
    const end = (reason: string) => {
      for (const { fail } of pending.splice(0)) fail(new Error(`${file} ended: ${reason}`))
    }
    process.once('error', (error) => end(error.message))
    process.once('exit', (status, signal) => end(String(signal ?? status)))
    return { process, pending }
  }

  return {
    ask(job) {
      if (isStopped) return Promise.reject(new Error('The loop is ending.'))
      if (!child.process.connected) child = start()
      const { process, pending } = child
      return new Promise((settle, fail) => {
        pending.push({ settle, fail })
        process.send(job as object)
      })
    },
    renew() {
      child.process.disconnect()
      child = start()
    },
    stop() {
      isStopped = true
      return endProcess(child.process)
    },
  }
}

/** Milliseconds that a process has to end by itself. */
const grace = 2_000

/** Ends a child by closing its channel, and by force if it does not follow. */
export function endProcess(child: ChildProcess, within = grace): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    const timer = setTimeout(() => child.kill('SIGKILL'), within)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    if (child.connected) child.disconnect()
  })
}
