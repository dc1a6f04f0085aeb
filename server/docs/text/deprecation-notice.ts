import type { Deprecation } from '../../description/description.ts'
import { type JsonObject, toObject, toText } from '../../description/json.ts'

/** Returns the deprecation of an object of a description, such as a schema. */
export function deprecationOf(node: JsonObject): Deprecation {
  return {
    isDeprecated: node['deprecated'] === true,
    since: node['x-deprecated-at'],
    sunset: toText(node['x-sunset']),
    replacement: toObject(node['x-replaced-by']),
  }
}

/**
 * Returns, as Markdown, since when something is deprecated, when it will be removed, and what replaces it;
 * the empty text if it is not deprecated. `linkTo` returns the address of an operation.
 */
export function deprecationNotice(
  { isDeprecated, since, sunset, replacement }: Deprecation,
  linkTo: (operationId: string) => string,
): string {
  if (!isDeprecated) {
    return ''
  }
  const start =
    since === undefined ? '**Deprecated.**' : `**Deprecated since ${toDateInWords(since)}.**`
  const removal =
    sunset === undefined ? [] : [`It will be removed on **${toDateInWords(sunset)}**.`]
  return [start, ...removal, ...adviceOn(replacement, linkTo)].join(' ')
}

function adviceOn(
  { operationId, description = operationId }: JsonObject,
  linkTo: (operationId: string) => string,
): readonly string[] {
  if (description === undefined) {
    return []
  }
  const replacement =
    operationId === undefined ? description : `[${description}](${linkTo(String(operationId))})`
  return [`Use ${replacement} instead.`]
}

/** Returns a date such as 2030-12-05 in words; any other text unchanged. */
function toDateInWords(date: unknown): string {
  const time = Date.parse(String(date))
  if (Number.isNaN(time)) {
    return String(date)
  }
  // Created here, because it takes as long as a twentieth of the start of the service.
  const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return dates.format(time)
}
