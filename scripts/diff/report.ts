import { existsSync } from 'node:fs'
import type { ContractDiff } from './contract-diff.ts'
import { compareVersions } from './version.ts'

/** How a comparison can be shown. */
export const reportFormats = ['text', 'markdown', 'json', 'github'] as const
export type ReportFormat = (typeof reportFormats)[number]

/** Returns a comparison in one of its formats, without a line break at the end. */
export function printReport(diff: ContractDiff, format: ReportFormat): string {
  return printers[format](diff)
}

const printers: Record<ReportFormat, (diff: ContractDiff) => string> = {
  text: printText,
  markdown: printMarkdown,
  json: (diff) => JSON.stringify(diff, undefined, 2),
  github: printAnnotations,
}

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
  const blocks = diff.changes.map(({ step, place, what, consequence, file, line }) =>
    [
      `${step.padEnd(5)}  ${place}  (${file}:${line})`,
      `       ${what}`,
      `       ${consequence}`,
    ].join('\n'),
  )
  return [summarize(diff), ...blocks].join('\n\n')
}

function printMarkdown(diff: ContractDiff): string {
  const rows = diff.changes.map(
    ({ step, breaking, place, what, consequence, file, line }) =>
      `| ${breaking ? `**${step}**` : step} | \`${place}\`, ${file}:${line} | ${toCell(what)} | ${toCell(consequence)} |`,
  )
  const table = ['| step | where | what | for consumers |', '|---|---|---|---|', ...rows]
  return ['### The contract', summarize(diff), ...(rows.length > 0 ? [table.join('\n')] : [])].join(
    '\n\n',
  )
}

// The text of a description must not become markup of the page that shows it.
function toCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('@', '@\u200b')
}

function printAnnotations(diff: ContractDiff): string {
  const lines = diff.changes.map((change) => {
    const { breaking, step, place, what, consequence, file, line } = change
    const command = breaking ? 'warning' : 'notice'
    // What was removed has a line in the base, which may be a file of another commit.
    const position = existsSync(file) ? `file=${file},line=${line}` : 'file=spec/openapi.yaml'
    const title = toProperty(`${step}: ${place}`)
    return `::${command} ${position},title=${title}::${toData(`${what} ${consequence}`)}`
  })
  return [...lines, `::notice title=contract::${toData(summarize(diff))}`].join('\n')
}

function toData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function toProperty(text: string): string {
  return toData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
