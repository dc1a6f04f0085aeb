import type { Description } from '../../server/description/description.ts'
import { routedOperations } from '../../server/description/operations.ts'
import { findHidden, pagePrefixOf, usualPrefix } from '../../server/description/platform-paths.ts'
import { toPointer } from '../../server/description/pointer.ts'
import type { Settings } from '../../server/description/settings.ts'
import { DescriptionError } from './failure.ts'
import { readBasePath } from './operations.ts'
import { serviceFileName } from './service-file.ts'
import { Sources } from './sources.ts'

/** Throws the operations that requests could not reach, because the service has pages at their paths. */
export function rejectHiddenOperations(
  spec: string,
  description: Description,
  settings: Settings,
): void {
  const prefix = pagePrefixOf(settings)
  const basePath = readBasePath(description)
  const hidden = findHidden(routedOperations(description), basePath, prefix)
  if (hidden.length === 0) {
    return
  }

  const sources = new Sources(spec)
  const advice = `move the pages of the service in ${serviceFileName}, such as platformPaths: ${usualPrefix}`
  const lines = hidden.map(({ name, path }) => {
    const at = sources.locationOf(sources.file, toPointer(['paths', path]))
    return `${at} platform-paths ${name} is at a path where the service has a page of its own; ${advice}.`
  })
  throw new DescriptionError(lines)
}

/** Returns the prefix that the pages of the service need beside the operations of a description, if they need one. */
export function neededPrefix(description: Description): string | undefined {
  const hidden = findHidden(routedOperations(description), readBasePath(description), '')
  return hidden.length === 0 ? undefined : usualPrefix
}
