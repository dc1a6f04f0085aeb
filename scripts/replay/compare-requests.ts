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
  let requestsToApi = 0
  let rejectedBefore = 0
  for (const request of requests) {
    const outcomeBefore = await before.send(request)
    const outcome = await after.send(request)
    if (outcomeBefore.operation === undefined && outcome.operation === undefined) {
      continue
    }

    requestsToApi++
    if (!outcome.isAccepted && outcomeBefore.isAccepted) {
      rejected.push(toRejected(request, outcomeBefore, outcome))
    }
    if (!outcome.isAccepted && !outcomeBefore.isAccepted) {
      rejectedBefore++
    }
  }
  if (requestsToApi === 0) {
    throw new UsageError(describeNone(file, after, unreadable.length))
  }

  const requestsElsewhere = others + requests.length - requestsToApi
  return {
    file,
    requests: requestsToApi,
    others: requestsElsewhere,
    rejectedBefore,
    rejected,
    unreadable,
  }
}

function describeNone(file: string, { basePath }: Replay, unreadable: number): string {
  const paths = `none has the path of an operation, such as those below ${basePath || '/'}`
  const not = unreadable === 0 ? '' : `, and ${unreadable} cannot be sent again`
  return `${file} has no request to this API: ${paths}${not}`
}

function toRejected(
  { entry }: RecordedRequest,
  outcomeBefore: Outcome,
  outcome: Outcome,
): RejectedRequest {
  const { operationId = '', method = '', path = '' } = outcomeBefore.operation ?? {}
  const operation = `${method.toUpperCase()} ${path}`
  const status = outcome.rejection?.status ?? outcome.status ?? 400
  return { entry, operationId, operation, status, reasons: reasonsOf(operation, outcome) }
}

function reasonsOf(nameBefore: string, { operation, rejection }: Outcome): readonly string[] {
  if (operation === undefined) {
    return [`there is no ${nameBefore} any more`]
  }

  const { details = [], message = 'The request could not be read.' } = rejection ?? {}
  // The path of a detail may have a name that the client sent, and that is an API key.
  const reasons = details.map((detail) => withoutApiKeys(`${detail.path} ${detail.message}`))
  if (reasons.length === 0) {
    return [message]
  }
  const firstReasons = reasons.slice(0, shownReasons)
  const more = reasons.length - firstReasons.length
  return more === 0 ? firstReasons : [...firstReasons, `and ${more} more`]
}
