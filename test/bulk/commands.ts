import type { Place } from '../support/places/place.ts'
import { type Ended, type Program, startProgram } from '../support/program.ts'

type Url = Pick<Place, 'url'>

/** Starts `npm run import`, as it is typed after `--`. */
export function startImport({ url }: Url, ...args: readonly string[]): Program {
  return startProgram('server/commands/import.ts', args, { env: { DATABASE_URL: url } })
}

export function runImport(place: Url, ...args: readonly string[]): Promise<Ended> {
  return startImport(place, ...args).ended
}

export function runExport({ url }: Url, ...args: readonly string[]): Promise<Ended> {
  return startProgram('server/commands/export.ts', args, { env: { DATABASE_URL: url } }).ended
}

export function startCopy(from: Url, to: Url): Program {
  const args = ['--from', from.url, '--to', to.url]
  return startProgram('server/commands/migrate-store.ts', args)
}

export function runCopy(from: Url, to: Url): Promise<Ended> {
  return startCopy(from, to).ended
}
