import { UsageError } from '../../server/process/options.ts'
import { withoutApiKeys } from '../../server/security/api-key.ts'
import { type Released, toRefPath } from '../diff/released.ts'
import type { RecordedRequests, RejectedRequest } from '../diff/requests.ts'
import { shortPath } from '../pipeline/project.ts'
import type { RecordedRequest, Recording } from './recording.ts'
import { type Outcome, openReplay, type Replay } from './replay.ts'

/** How many reasons are named for each request. */
const shownReasons = 5

/**
 * Sends the requests of recordings to the application of the service, on two descriptions; returns which
 * of them the second one rejects and the first one does not.
 */
export async function compareRequests(
  recordings: readonly Recording[],
  base: Released,
  current: string,
): Promise<readonly RecordedRequests[]> {
  await using opened = new AsyncDisposableStack()
  const before = await openReplay(base.file, toRefPath(base.file, base.ref))
  opened.defer(before.close)
  const after = await openReplay(current, shortPath(current))
  opened.defer(after.close)
  const compared: RecordedRequests[] = []
  for (const recording of recordings) {
    compared.push(await compareRecording(recording, before, after))
  }
  return compared
}

async function compareRecording(
  { file, requests, unreadable, others }: Recording,
  before: Replay,
  after: Replay,
): Promise<RecordedRequests> {
  const rejected: RejectedRequest[] = []
  let ofApi = 0
  let rejectedBefore = 0
  for (const request of requests) {
    const old = await before.send(request)
    const now = await after.send(request)
    if (old.operation === undefined && now.operation === undefined) {
      continue
    }
    ofApi++
    if (now.isAccepted) {
      continue
    }
    if (old.isAccepted) {
      rejected.push(toRejected(request, old, now))
    } else {
      rejectedBefore++
    }
  }
  if (ofApi === 0) {
    throw new UsageError(describeNone(file, after, unreadable.length))
  }
  const allOthers = others + requests.length - ofApi
  return { file, requests: ofApi, others: allOthers, rejectedBefore, rejected, unreadable }
}

function describeNone(file: string, { basePath }: Replay, unreadable: number): string {
  const paths = `none has the path of an operation, such as those below ${basePath || '/'}`
  const not = unreadable === 0 ? '' : `, and ${unreadable} cannot be sent again`
  return `${file} has no request to this API: ${paths}${not}`
}

function toRejected({ entry }: RecordedRequest, old: Outcome, now: Outcome): RejectedRequest {
  const { operationId = '', method = '', path = '' } = old.operation ?? {}
  const operation = `${method.toUpperCase()} ${path}`
  const status = now.rejection?.status ?? now.status ?? 400
  return { entry, operationId, operation, status, reasons: reasonsOf(operation, now) }
}

function reasonsOf(operation: string, { operation: found, rejection }: Outcome): readonly string[] {
  if (found === undefined) {
    return [`there is no ${operation} any more`]
  }
  const { details = [], message = 'The request could not be read.' } = rejection ?? {}
  // A name that was sent may be a part of it.
  const all = details.map((detail) => withoutApiKeys(`${detail.path} ${detail.message}`))
  if (all.length === 0) {
    return [message]
  }
  const shown = all.slice(0, shownReasons)
  const more = all.length - shown.length
  return more === 0 ? shown : [...shown, `and ${more} more`]
}
