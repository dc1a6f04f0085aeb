import { ownerOf } from './ownership.ts'

/** The scripts of a `package.json`. */
type Scripts = Readonly<Record<string, string>>

/** Returns scripts of `package.json` without those that run a file of the API. */
export function withoutApiScripts(scripts: Scripts): Scripts {
  const runsApi = (command: string) => command.split(' ').some((word) => ownerOf(word) === 'api')
  return Object.fromEntries(Object.entries(scripts).filter(([, command]) => !runsApi(command)))
}
