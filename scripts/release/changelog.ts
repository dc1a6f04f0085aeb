import type { Change, ContractDiff } from '../diff/contract-diff.ts'

const title = `# Changelog

What each version changes for those who use the API or its client. Written by \`npm run release\`.
`
const sections = [
  ['major', 'Breaking: change your code first'],
  ['minor', 'New'],
  ['patch', 'Unnoticed by programs'],
] as const

/** Returns the entry of a version, by its changes; without a diff it is the first release. */
export function printEntry(version: string, diff: ContractDiff | undefined): string {
  const heading = `## ${version} (${new Date().toISOString().slice(0, 10)})`
  if (diff === undefined) return `${heading}\n\nThe first release.`
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

function printChange({ place, what, consequence }: Change): string {
  const where = what.includes(place) ? '' : `\`${place}\`: `
  return `- ${where}${what} ${consequence}`
}
