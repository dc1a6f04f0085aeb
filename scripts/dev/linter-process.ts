import { pathToFileURL } from 'node:url'
import { type LinterOutput, quiet } from '../pipeline/lint.ts'
import { projectPath } from '../pipeline/project.ts'
import { answerJobs } from './answer-jobs.ts'

// The linter is a command, which exports nothing. Its first file is loaded anew for each job and
// runs the command; what that file loads, nine tenths of the time, is loaded once.
const program = projectPath('node_modules/@redocly/cli/lib/index.js')
const written = { output: '', complaint: '' }
let run = 0

process.stdout.write = (chunk: string | Uint8Array) => {
  written.output += chunk
  return true
}
process.stderr.write = (chunk: string | Uint8Array) => {
  written.complaint += chunk
  return true
}

Object.assign(process.env, quiet)

answerJobs(async (args: readonly string[]): Promise<LinterOutput> => {
  Object.assign(written, { output: '', complaint: '' })
  process.argv = [process.execPath, program, ...args]
  const done = endOfCommand()
  run++
  await import(`${pathToFileURL(program)}?run=${run}`)
  await done
  return { ...written }
})

/** Resolves when the command has done everything but to leave the process. */
function endOfCommand(): Promise<void> {
  return new Promise((resolve) => {
    const notice = (name: string | symbol) => {
      if (name !== 'beforeExit') return
      process.removeListener('newListener', notice)
      // What it registers there would end the process under the next job.
      setImmediate(() => {
        process.removeAllListeners('beforeExit')
        resolve()
      })
    }
    process.on('newListener', notice)
  })
}
