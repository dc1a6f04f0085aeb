import type { Change, ContractDiff } from '../diff/contract-diff.ts'
import { toObject } from '../pipeline/description.ts'
import { methods } from '../pipeline/operation-places.ts'

const title = `# Changelog

What each version changes for those who use the API or its client. Written by \`npm run release\`.
`
const sections = [
  ['major', 'Breaking: change your code first'],
  ['minor', 'New'],
  ['patch', 'Unnoticed by programs'],
] as const

/** Returns the entry of a version, by its changes; without a diff, by all that there is. */
export function printEntry(
  version: string,
  diff: ContractDiff | undefined,
  description: unknown,
): string {
  const heading = `## ${version} (${new Date().toISOString().slice(0, 10)})`
  if (diff === undefined) {
    return [heading, 'The first release.', listOperations(description).join('\n')].join('\n\n')
  }
  const parts = sections.flatMap(([step, name]) => {
    const lines = diff.changes.filter((change) => change.step === step).map(printChange)
    return lines.length === 0 ? [] : [`### ${name}\n\n${lines.join('\n')}`]
  })
  const none = 'The contract is the same as before; the service or the client has changed.'
  return [heading, ...(parts.length === 0 ? [none] : parts)].join('\n\n')
}

/** Returns the changelog with an entry on top, in the place of one of the same version. */
export function addEntry(changelog: string, version: string, entry: string): string {
  const [head = '', ...entries] = (changelog || title).split(/^(?=## )/m)
  const others = entries.filter((text) => !text.startsWith(`## ${version} `))
  const parts = [head, entry, ...others].map((text) => `${text.trimEnd()}\n`)
  return parts.join('\n')
}

/** Returns the entry of a version, if the changelog has one. */
export function findEntry(changelog: string, version: string): string | undefined {
  const entries = changelog.split(/^(?=## )/m)
  return entries.find((text) => text.startsWith(`## ${version} `))?.trimEnd()
}

function listOperations(description: unknown): string[] {
  return Object.entries(toObject(toObject(description)['paths'])).flatMap(([path, item]) =>
    Object.entries(toObject(item)).flatMap(([method, operation]) => {
      if (!methods.includes(method)) return []
      const { operationId, summary, deprecated, 'x-sunset': sunset } = toObject(operation)
      const end = deprecated === true ? ` (deprecated, will be removed on ${sunset})` : ''
      const name = `\`${method.toUpperCase()} ${path}\`, \`${operationId}\``
      return [`- ${name}: ${summary ?? 'no summary'}${end}.`]
    }),
  )
}

function printChange({ place, what, consequence }: Change): string {
  const where = what.includes(place) ? '' : `\`${place}\`: `
  return `- ${where}${what} ${consequence}`
}
