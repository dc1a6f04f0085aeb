import packageJson from '../../../package.json' with { type: 'json' }
import { type Ended, startProgram } from '../../helpers/program.ts'

/** A command of the project, such as `keys`, with its arguments. */
export type CommandLine = readonly [command: string, ...args: string[]]

/** Returns the file of a command, as `package.json` has it. */
function fileOf(command: string): string {
  const scripts: Readonly<Record<string, string>> = packageJson.scripts
  return scripts[command]?.replace(/^node /, '') ?? ''
}

/** Runs a command to its end, on the store that a `DATABASE_URL` names. */
export function runCommand(
  [command, ...args]: CommandLine,
  databaseUrl: string,
  cwd?: string,
): Promise<Ended> {
  const env = { DATABASE_URL: databaseUrl }
  const options = cwd === undefined ? { env } : { env, cwd }
  return startProgram(fileOf(command), args, options).ended
}
