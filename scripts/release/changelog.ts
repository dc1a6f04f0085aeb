import type { Change, ContractDiff } from '../diff/contract-diff.ts'
import { type JsonObject, toObject } from '../pipeline/description.ts'
import { operationsOf } from '../pipeline/operation-places.ts'

const title = `# Changelog

What each version changes for those who use the API or its client. Written by \`npm run release\`.
`
const sections = [
  ['major', 'Breaking: change your code first'],
  ['minor', 'New'],
  ['patch', 'Unnoticed by programs'],
] as const

/** The entry of a version, by its changes. */
export function printEntry(version: string, day: string, { changes }: ContractDiff): string {
  const parts = sections.flatMap(([step, heading]) => {
    const lines = changes.filter((change) => change.step === step).map(printChange)
    return lines.length === 0 ? [] : [`### ${heading}\n\n${lines.join('\n')}`]
  })
  const none = 'The contract is the same as before; the service or the client has changed.'
  return [printHeading(version, day), ...(parts.length === 0 ? [none] : parts)].join('\n\n')
}

/** The entry of the first version: all that there is. */
export function printFirstEntry(version: string, day: string, description: JsonObject): string {
  const lines = operationsOf(description).map(({ name, method, path, operation }) => {
    const { summary, deprecated, 'x-sunset': sunset } = toObject(operation)
    const end = deprecated === true ? ` (deprecated, will be removed on ${sunset})` : ''
    return `- \`${method.toUpperCase()} ${path}\`, \`${name}\`: ${summary ?? 'no summary'}${end}.`
  })
  return [printHeading(version, day), 'The first release.', lines.join('\n')].join('\n\n')
}

/** The changelog with an entry on top, in the place of one of the same version if there is one. */
export function addEntry(changelog: string | undefined, version: string, entry: string): string {
  const [head = '', ...entries] = (changelog ?? title).split(/^(?=## )/m)
  const others = entries.filter((text) => !text.startsWith(`## ${version} `))
  return [`${head.trimEnd()}\n`, `${entry}\n`, ...others.map((text) => `${text.trimEnd()}\n`)].join(
    '\n',
  )
}

/** The entry of a version, if the changelog has one. */
export function findEntry(changelog: string, version: string): string | undefined {
  const entries = changelog.split(/^(?=## )/m)
  return entries.find((text) => text.startsWith(`## ${version} `))?.trimEnd()
}

function printHeading(version: string, day: string): string {
  return `## ${version} (${day})`
}

function printChange({ place, what, consequence }: Change): string {
  const where = what.includes(place) ? '' : `\`${place}\`: `
  return `- ${where}${what} ${consequence}`
}
