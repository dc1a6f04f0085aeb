import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The processes that have a text in their command line, by their ids. */
export async function processesWith(text: string): Promise<readonly string[]> {
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,args='])
  return stdout
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => line.trim())
}
