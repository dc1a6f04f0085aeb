import type {
  MediaType,
  Operation,
  Parameter,
  Response,
} from '../../server/description/description.ts'
import { toParameterKey } from '../../server/description/description-reader.ts'

/** Returns what identifies an operation: the names of the variables of its path are not sent. */
export function toOperationKey({ method, path }: Operation): string {
  return `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`
}

/** Returns what identifies a parameter: that of a path by its position. */
export function toPositionKey({ path }: Operation, parameter: Parameter): string {
  if (parameter.location !== 'path') {
    return toParameterKey(parameter)
  }
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name)
  const position = names.indexOf(parameter.name)
  return position < 0 ? toParameterKey(parameter) : `path ${position}`
}

/** Returns what describes the same media type as another one: itself, or the narrowest range that covers it. */
export function findRange(
  content: readonly MediaType[],
  { key }: MediaType,
): MediaType | undefined {
  const names = [key, `${key.split('/', 1)[0]}/*`, '*/*']
  for (const name of names) {
    const counterpart = content.find((mediaType) => mediaType.key === name)
    if (counterpart !== undefined) {
      return counterpart
    }
  }
  return undefined
}

/** Returns what describes the same status as a response, which a range or `default` may cover. */
export function findCovering(
  responses: readonly Response[],
  { status, isSuccess }: Response,
): Response | undefined {
  const names = [status, `${status.charAt(0)}XX`]
  for (const name of names) {
    const counterpart = responses.find((response) => response.status === name)
    if (counterpart !== undefined) {
      return counterpart
    }
  }
  return responses.find((response) => {
    return response.status === 'default' && (response.isSuccess || !isSuccess)
  })
}
