import { pathToFileURL } from 'node:url'
import { projectPath } from '../pipeline/project.ts'
import { quiet, type RedoclyOutput } from '../pipeline/redocly.ts'

// The CLI is a command, which exports nothing. Its first file is loaded anew for each run and runs
// the command; what that file loads, nine tenths of the time, is loaded once.
const program = projectPath('node_modules/@redocly/cli/lib/index.js')
const written = { output: '', complaint: '' }
let runs = 0

/**
 * Runs a command of the Redocly CLI in this process, one at a time. From then on nothing that this
 * process writes is seen: it belongs to the command.
 */
export async function runRedoclyHere(args: readonly string[]): Promise<RedoclyOutput> {
  capture()
  Object.assign(written, { output: '', complaint: '' })
  Object.assign(process.env, quiet)
  process.argv = [process.execPath, program, ...args]
  const done = endOfCommand()
  runs++
  await import(`${pathToFileURL(program)}?run=${runs}`)
  await done
  return { ...written }
}

function capture(): void {
  process.stdout.write = (chunk: string | Uint8Array) => {
    written.output += chunk
    return true
  }
  process.stderr.write = (chunk: string | Uint8Array) => {
    written.complaint += chunk
    return true
  }
}

/** Resolves when the command has done everything but to leave the process. */
function endOfCommand(): Promise<void> {
  return new Promise((resolve) => {
    const notice = (name: string | symbol) => {
      if (name !== 'beforeExit') return
      process.removeListener('newListener', notice)
      // What it registers there would end the process under the next run.
      setImmediate(() => {
        process.removeAllListeners('beforeExit')
        resolve()
      })
    }
    process.on('newListener', notice)
  })
}
