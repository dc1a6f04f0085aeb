import { existsSync } from 'node:fs'
import { type ContractDiff, compareVersions } from './contract-diff.ts'

/** Returns a comparison as text, without a line break at the end, by the name of its format. */
export const reports: ReadonlyMap<string, (diff: ContractDiff) => string> = new Map([
  ['text', printText],
  ['markdown', printMarkdown],
  ['json', printJson],
  ['github', printAnnotations],
])

/** Returns the summary: how much has changed, and which version that needs. */
function summarize({ base, current, changes, needed }: ContractDiff): string {
  const since = base.ref.includes(base.version) ? base.ref : `${base.version} (${base.ref})`
  if (changes.length === 0) return `Nothing has changed in the contract since ${since}.`
  const breaking = changes.filter((change) => change.breaking).length
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`
  const share = breaking === 0 ? 'none of them breaking' : `${breaking} of them breaking`
  const version =
    compareVersions(current.version, needed) < 0
      ? `The version must be ${needed} at least; it is ${current.version}.`
      : `The version, ${current.version}, allows for that.`
  return `Since ${since}: ${count}, ${share}. ${version}`
}

function printText(diff: ContractDiff): string {
  const blocks = diff.changes.map(({ bump, place, what, consequence, file, line }) => {
    const head = `${bump.padEnd(5)}  ${place}  (${file}:${line})`
    return [head, what, consequence].join('\n       ')
  })
  return [summarize(diff), ...blocks].join('\n\n')
}

function printMarkdown(diff: ContractDiff): string {
  const rows = diff.changes.map(({ bump, breaking, place, what, consequence, file, line }) => {
    const cells = [breaking ? `**${bump}**` : bump, `\`${place}\`, ${file}:${line}`]
    return `| ${[...cells, toCell(what), toCell(consequence)].join(' | ')} |`
  })
  const table = ['| bump | where | what | for consumers |', '|---|---|---|---|', ...rows]
  const parts = ['### The contract', summarize(diff), rows.length > 0 ? table.join('\n') : '']
  return parts.join('\n\n').trimEnd()
}

// The text of a description must not become markup of the page that shows it.
function toCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('@', '@\u200b')
}

function printAnnotations(diff: ContractDiff): string {
  const lines = diff.changes.map(({ breaking, bump, place, what, consequence, file, line }) => {
    // What was removed has a line in the base, which may be a file of another commit.
    const position = existsSync(file) ? `file=${file},line=${line}` : 'file=spec/openapi.yaml'
    const title = toData(`${bump}: ${place}`).replaceAll(':', '%3A').replaceAll(',', '%2C')
    const command = breaking ? 'warning' : 'notice'
    return `::${command} ${position},title=${title}::${toData(`${what} ${consequence}`)}`
  })
  return [...lines, `::notice title=contract::${toData(summarize(diff))}`].join('\n')
}

function toData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function printJson(diff: ContractDiff): string {
  return JSON.stringify(diff, undefined, 2)
}
