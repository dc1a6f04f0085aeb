import { type Ended, startProgram } from '../../helpers/program.ts'

/** A command of the project, such as `keys`, with its arguments. */
export type CommandLine = readonly [command: string, ...args: string[]]

/** Runs a command to its end, on the store that a `DATABASE_URL` names. */
export function runCommand(
  [command, ...args]: CommandLine,
  databaseUrl: string,
  cwd?: string,
): Promise<Ended> {
  const env = { DATABASE_URL: databaseUrl }
  const options = cwd === undefined ? { env } : { env, cwd }
  return startProgram(`server/commands/${command}.ts`, args, options).ended
}
