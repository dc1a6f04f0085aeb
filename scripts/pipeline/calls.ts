import { dereference, type JsonObject, toList, toObject } from './description.ts'
import { type Json, printEntry } from './literal.ts'
import { operationsOf, type Place } from './operation-places.ts'

/**
 * The module that tells a client how to call each operation: as little as there is to it, because
 * applications ship it.
 */
export function printCalls(root: JsonObject): string {
  // Each operation begins a line of its own, so that adding one adds lines only.
  const rows = operationsOf(root).map(
    (place) => printComment(place.operation) + printEntry(place.name, readCall(root, place), '  '),
  )
  return `/** How each operation is called, by operationId. */
export const calls = {
${rows.join('')}} as const
`
}

// Editors show this at the methods of the client, and strike through what is deprecated.
function printComment(operation: JsonObject): string {
  const { summary, deprecated, 'x-sunset': sunset } = operation
  const replacement = readReplacement(operation)
  const until = sunset === undefined ? '' : ` It will be removed on ${sunset}.`
  const instead = replacement === undefined ? '' : ` Use ${replacement} instead.`
  const lines = [
    ...(typeof summary === 'string' ? [summary] : []),
    ...(deprecated === true ? [`@deprecated${until}${instead}`] : []),
  ]
  const text = lines.map((line) => line.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/'))
  return text.length === 0 ? '' : `  /**\n${text.map((line) => `   * ${line}\n`).join('')}   */\n`
}

function readCall(root: JsonObject, { path, method, pathItem, operation }: Place): Json {
  const parameters = [pathItem, operation]
    .flatMap((from) => toList(from['parameters']))
    .map((parameter) => dereference(root, parameter))
  const isIdempotent = parameters.some(
    ({ in: place, name }) => place === 'header' && /^idempotency-key$/i.test(String(name)),
  )
  const { 'x-paginated-by': cursor, deprecated } = operation
  const replacement = deprecated === true ? readReplacement(operation) : undefined
  return {
    method,
    path,
    ...(parameters.some((parameter) => parameter['in'] === 'query') && { query: true }),
    ...(operation['requestBody'] !== undefined && { body: true }),
    ...(isIdempotent && { idempotent: true }),
    ...(typeof cursor === 'string' && { cursor }),
    ...(replacement !== undefined && { replacement }),
  }
}

function readReplacement(operation: JsonObject): string | undefined {
  const { operationId, description = operationId } = toObject(operation['x-replaced-by'])
  return typeof description === 'string' ? description : undefined
}
