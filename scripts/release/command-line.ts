import { parseArgs } from 'node:util'
import { parseVersion } from '../diff/version.ts'
import { UsageError } from '../pipeline/failure.ts'

/** What `npm run release` was asked to do. */
export interface ReleaseOptions {
  readonly isDryRun: boolean
  /** The version, if it is not to follow from the changes. */
  readonly version: string | undefined
}

const usage = 'usage: npm run release -- [--dry-run] [--version X.Y.Z]'

/** Reads the arguments of `npm run release`. */
export function readReleaseOptions(args: readonly string[]): ReleaseOptions {
  const { 'dry-run': isDryRun, version } = parse(args)
  if (version !== undefined && parseVersion(version) === undefined) {
    throw new UsageError(`--version is three numbers, such as 1.2.0, not '${version}'; ${usage}`)
  }
  return { isDryRun, version }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { 'dry-run': { type: 'boolean', default: false }, version: { type: 'string' } },
    }).values
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new UsageError(`${reason}; ${usage}`)
  }
}
