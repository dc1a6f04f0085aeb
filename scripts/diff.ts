import { parseOptions, UsageError } from '../server/process/options.ts'
import { compareDescriptions } from './diff/compare.ts'
import type { ContractDiff } from './diff/contract-diff.ts'
import { assessChanges, projectOptions } from './diff/gate.ts'
import { type Released, readRef } from './diff/released.ts'
import { reports } from './diff/report.ts'
import { addCallers, readUsage } from './diff/usage.ts'
import { runCommand } from './pipeline/failure.ts'
import { projectSpec } from './pipeline/project.ts'
import { Sources } from './pipeline/sources.ts'
import { type Recording, readRecording } from './replay/recording.ts'

const usage = `usage: npm run diff -- [REF] [--format ${[...reports.keys()].join('|')}] [--all] [--usage FILE] [--requests FILE.har]… [--fail-on breaking|rejected]`

/** What ends the command with exit status 1, by its name in `--fail-on`. */
const failures: ReadonlyMap<string, (diff: ContractDiff) => boolean> = new Map([
  ['breaking', ({ changes }) => changes.some(({ breaking }) => breaking)],
  ['rejected', ({ requests = [] }) => requests.some(({ rejected }) => rejected.length > 0)],
])

await runCommand(usage, async () => {
  const { ref, print, isWhole, failsOn, ...consumers } = readOptions()
  const options = projectOptions()
  const { released } = options
  const chosen = ref === undefined ? undefined : await readRef(ref)
  const base = chosen ?? released
  if (base === undefined) {
    throw new UsageError('there is no release yet; name a ref of git: npm run diff -- HEAD')
  }
  // The files are read before the comparison, which takes a while: an error in them is reported at once.
  const keyUsage = consumers.usage === undefined ? undefined : readUsage(consumers.usage)
  const recordings = consumers.requests.map(readRecording)

  const compare = ({ file, ref: name }: typeof base) => {
    return assessChanges(compareDescriptions(file, projectSpec, name), options)
  }
  const compared = compare(base)
  // The version must allow for the changes before the ref, too: it is that which all changes since the release need.
  const hasEarlierChanges = chosen !== undefined && released !== undefined
  const sinceRelease = hasEarlierChanges ? compare(released) : compared
  const diff = { ...compared.diff, needed: sinceRelease.diff.needed }

  const withCallers =
    keyUsage === undefined ? diff : addCallers(diff, new Sources(base.file), keyUsage, new Date())
  const complete = await addRequests(withCallers, base, recordings)
  console.log(print(complete, isWhole))

  // Changes are accepted since the last release; where there is no release, since the ref.
  for (const error of sinceRelease.errors) {
    console.error(error)
    process.exitCode = 1
  }
  if (failsOn?.(complete) === true) {
    process.exitCode = 1
  }
})

/** Adds which of the recorded requests are rejected. */
async function addRequests(
  diff: ContractDiff,
  base: Released,
  recordings: readonly Recording[],
): Promise<ContractDiff> {
  if (recordings.length === 0) {
    return diff
  }
  // The service is loaded only where requests are sent to it.
  const { compareRequests } = await import('./replay/compare-requests.ts')
  return { ...diff, requests: await compareRequests(recordings, base, projectSpec) }
}

function readOptions() {
  const { values, positionals } = parseOptions({
    allowPositionals: true,
    options: {
      format: { type: 'string', default: 'text' },
      all: { type: 'boolean', default: false },
      usage: { type: 'string' },
      requests: { type: 'string', multiple: true, default: [] },
      'fail-on': { type: 'string' },
    },
  })
  const print = reports.get(values.format)
  if (print === undefined) {
    const names = [...reports.keys()].join(', ')
    throw new UsageError(`--format must be one of ${names}, not '${values.format}'; ${usage}`)
  }
  const [ref, ...otherArguments] = positionals
  if (otherArguments.length > 0) {
    throw new UsageError(`only one ref can be compared with; ${usage}`)
  }
  const failsOn = readFailure(values['fail-on'], values.requests)
  const { all: isWhole, usage: usageFile, requests } = values
  return { ref, print, isWhole, failsOn, usage: usageFile, requests }
}

function readFailure(name: string | undefined, requests: readonly string[]) {
  if (name === undefined) {
    return undefined
  }
  const failsOn = failures.get(name)
  if (failsOn === undefined) {
    const names = [...failures.keys()].join(', ')
    throw new UsageError(`--fail-on must be one of ${names}, not '${name}'; ${usage}`)
  }
  if (name === 'rejected' && requests.length === 0) {
    throw new UsageError(`--fail-on rejected needs --requests; ${usage}`)
  }
  return failsOn
}
