import { element } from './element.js'
import { showPanel } from './panel.js'

/** @import { LoopState, OperationState } from '../loop-state.ts' */

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/**
 * Shows the operations of the contract, and who answers each.
 *
 * @param {LoopState} state
 */
export function showOperations({ operations }) {
  const mocked = operations.filter(({ state }) => state === 'mocked').length
  const deprecated = operations.filter((operation) => operation.deprecated).length
  const parts = [
    String(operations.length),
    ...(mocked > 0 ? [`${mocked} mocked`] : []),
    ...(deprecated > 0 ? [`${deprecated} deprecated`] : []),
  ]
  showPanel('operations', operations, operationEntry, { count: parts.join(', ') })
}

/** @param {OperationState} operation */
function operationEntry(operation) {
  const { method, path, operationId, state, deprecated, sunset } = operation
  const name = element('a', 'name', operationId)
  name.setAttribute('href', `/docs#operation/${encodeURIComponent(operationId)}`)
  name.setAttribute('target', 'reference')
  const badges = [element('span', `badge ${state === 'mocked' ? 'info' : 'quiet'}`, state)]
  if (deprecated) badges.push(element('span', 'badge warn', `deprecated${removal(sunset)}`))
  return element(
    'li',
    'operation',
    methodBadge(method),
    element('code', 'path', path),
    name,
    element('span', 'badges', ...badges),
  )
}

/** @param {string | undefined} sunset */
function removal(sunset) {
  if (sunset === undefined) return ''
  const time = Date.parse(sunset)
  return `, will be removed on ${Number.isNaN(time) ? sunset : dates.format(time)}`
}

const tones = new Map([
  ['get', 'info'],
  ['head', 'info'],
  ['post', 'good'],
  ['put', 'warn'],
  ['patch', 'warn'],
  ['delete', 'bad'],
])

/** @param {string} method */
export function methodBadge(method) {
  const tone = tones.get(method.toLowerCase()) ?? 'quiet'
  return element('span', `badge method ${tone}`, method.toUpperCase())
}
