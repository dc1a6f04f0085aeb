import type { Operation } from './description.ts'
import type { Settings } from './settings.ts'

/** The first segments of the paths of the pages that the service has beside the API, without a prefix. */
export const pageSegments: readonly string[] = [
  'docs',
  'livez',
  'readyz',
  'openapi.json',
  'openapi.yaml',
  'llms.txt',
  'mcp',
]

/** The prefix that `init` chooses for the pages of the service where the API has one of their paths. */
export const usualPrefix = '/_platform'

/** Returns what the paths of the pages of the service begin with. */
export function pagePrefixOf({ platformPaths = '' }: Settings): string {
  return platformPaths
}

/**
 * Returns the operations that requests could not reach, because the service has a page at their path, or at one
 * that their template matches.
 */
export function findHidden<Each extends Pick<Operation, 'path'>>(
  operations: readonly Each[],
  basePath: string,
  prefix: string,
): readonly Each[] {
  const before = segmentsOf(prefix)
  return operations.filter(({ path }) => {
    const segments = segmentsOf(basePath + path)
    // A parameter in place of the prefix is no conflict: it was chosen because no value has this form.
    const isBelow = before.every((segment, index) => segment === segments[index])
    const segment = segments[before.length]
    return isBelow && segment !== undefined && pageSegments.some((page) => matches(segment, page))
  })
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').slice(1)
}

/** Returns whether a segment of a path template matches a text. */
function matches(segment: string, text: string): boolean {
  const parts = segment.split(/\{[^{}]*\}/).map((part) => RegExp.escape(part))
  return new RegExp(`^${parts.join('.+')}$`, 'is').test(text)
}
