import type { LoggedRequest, OperationState } from '../design-service.ts'
import { element, marked, spaced } from './element.ts'

/** Returns an operation, and whether it has a handler. */
export function operationView(operation: OperationState): HTMLElement {
  const { method, path, operationId, state, deprecation } = operation
  const { sunset } = deprecation ?? {}
  const removal = sunset === undefined ? '' : `, will be removed on ${sunset}`
  const badge = element('span', 'badge warn', `deprecated${removal}`)
  const kind = state === 'sampled' ? 'badge info' : 'badge'
  return element(
    'li',
    'operation',
    ...spaced(
      element('span', 'method', method.toUpperCase()),
      element('code', '', path),
      element('span', 'muted', operationId),
      element('span', kind, state),
      ...(deprecation === undefined ? [] : [badge]),
    ),
  )
}

/** Returns a request, and where its response violates the contract. */
export function requestView(request: LoggedRequest): HTMLElement {
  const { at, id, method, path, status, milliseconds, violations } = request
  const entry = element(
    'li',
    'request',
    ...spaced(
      element('span', 'method', method),
      element('code', '', path),
      element('span', `badge ${toneOf(status)}`, String(status)),
      element('span', 'muted', `${milliseconds.toFixed(1)} ms`),
      element('span', 'muted', new Date(at).toLocaleTimeString('en-GB')),
    ),
    ...violations.map((text) => element('p', 'bad', 'Violates the contract: ', ...marked(text))),
  )
  entry.title = `Request ${id}`
  return entry
}

function toneOf(status: number): string {
  if (status >= 500) {
    return 'bad'
  }
  return status >= 400 ? 'warn' : 'good'
}
