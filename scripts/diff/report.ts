import { existsSync } from 'node:fs'
import {
  type AcceptedChange,
  type Bump,
  type Change,
  type ContractDiff,
  compareVersions,
  isRewordingOfPlatform,
  splitRewordings,
} from './contract-diff.ts'
import {
  describeRejected,
  type RecordedRequests,
  selectRejected,
  summarizeRequests,
} from './requests.ts'
import { describeCallers, describeUsage } from './usage.ts'

/** Returns a comparison as text, without a line break at the end; `isWhole` says whether to list rewordings. */
type Print = (diff: ContractDiff, isWhole: boolean) => string

/** The formats, by name. */
export const reports: ReadonlyMap<string, Print> = new Map([
  ['text', printText],
  ['markdown', printMarkdown],
  ['json', printJson],
  ['github', printAnnotations],
])

/** Returns the summary: how much has changed, and which version that needs. */
function summarize(diff: ContractDiff): string {
  const { base, current, accepted, needed, breakingNote } = diff
  const { changes, ...reworded } = splitRewordings(diff.changes)
  const since = base.ref.includes(base.version) ? base.ref : `${base.version} (${base.ref})`
  const isSame = diff.changes.length + accepted.length === 0
  if (isSame && breakingNote === undefined) {
    return `Nothing has changed in the contract since ${since}.`
  }
  const breaking = changes.filter((change) => change.breaking).length
  const share = breaking === 0 ? 'none of them breaking' : `${breaking} of them breaking`
  const counts = [
    changes.length === 0 ? 'no change' : `${count(changes.length, 'change')}, ${share}`,
    ...describeRewordings(reworded),
    ...(accepted.length > 0 ? [`${count(accepted.length, 'change')} accepted`] : []),
  ]
  const note = breakingNote === undefined ? '' : ` CHANGELOG.md has the heading '${breakingNote}'.`
  const version =
    compareVersions(current.version, needed) < 0
      ? `The version must be ${needed} at least; it is ${current.version}.`
      : `The version, ${current.version}, allows for that.`
  return `Since ${since}: ${counts.join('; ')}.${note} ${version}`
}

/** Returns how many texts and examples were reworded, and how many of the platform; nothing for none. */
export function describeRewordings({
  rewordings,
  platformRewordings,
}: Omit<ReturnType<typeof splitRewordings>, 'changes'>): readonly string[] {
  return [
    ...(rewordings.length > 0 ? [describeReworded(rewordings)] : []),
    ...(platformRewordings.length > 0
      ? [describeReworded(platformRewordings, ' of the platform')]
      : []),
  ]
}

/** Returns how many texts and examples were reworded; `owner` says whose they are. */
export function describeReworded({ length }: readonly Change[], owner = ''): string {
  const verb = length === 1 ? 'was' : 'were'
  const what = count(length, `text or example${owner}`, `texts and examples${owner}`)
  return `${what} ${verb} reworded`
}

/** Returns a number with its noun. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`
}

function printText(diff: ContractDiff, isWhole: boolean): string {
  const { changes, rewordings, platformRewordings } = splitRewordings(diff.changes)
  const listedChanges = isWhole ? [...changes, ...rewordings, ...platformRewordings] : changes
  const isFolded = changes.length < diff.changes.length && !isWhole
  const summary = `${summarize(diff)}${isFolded ? ' What was reworded is listed with --all.' : ''}`
  const blocks = listedChanges.map((change) => {
    return printBlock(labelOf(change), change, consequencesOf(change, diff))
  })
  const accepted = diff.accepted.map((change) => {
    return printBlock('accepted', change, [`Accepted: ${change.reason}`])
  })
  const recordings = (diff.requests ?? []).map(printRequests)
  return [summary, ...blocks, ...accepted, ...usageOf(diff), ...recordings].join('\n\n')
}

/** Returns which part of the version a change increases: none, where the platform says something in other words. */
function labelOf(change: Change): Bump {
  return isRewordingOfPlatform(change) ? 'none' : change.bump
}

function printBlock(label: string, change: Change, reasons: readonly string[]): string {
  const { id, place, file, line, what } = change
  const head = `${label.padEnd(5)}  ${place}  (${file}:${line})  ${id}`
  return [head, what, ...reasons].join('\n       ')
}

/** Returns what a change means for consumers, a sentence each. */
function consequencesOf(change: Change, diff: ContractDiff): readonly string[] {
  const callers = describeCallers(change, diff)
  return callers === undefined ? [change.consequence] : [change.consequence, callers]
}

function usageOf({ usage }: ContractDiff): readonly string[] {
  return usage === undefined ? [] : [describeUsage(usage)]
}

function printRequests(recorded: RecordedRequests): string {
  const { first, rest } = selectRejected(recorded)
  const lines = first.map((request) => {
    const { entry, operationId, operation } = request
    return `  entry ${entry}  ${operationId} (${operation})  ${describeRejected(request)}`
  })
  const more = rest === undefined ? [] : [`  ${rest}`]
  return [summarizeRequests(recorded), ...lines, ...more].join('\n')
}

function printMarkdown(diff: ContractDiff): string {
  const { changes, rewordings, platformRewordings } = splitRewordings(diff.changes)
  const parts = ['### The contract', summarize(diff)]
  if (changes.length > 0) {
    parts.push(printTable(changes, diff))
  }
  if (rewordings.length > 0) {
    parts.push(fold(describeReworded(rewordings), printTable(rewordings, diff)))
  }
  if (platformRewordings.length > 0) {
    const summary = describeReworded(platformRewordings, ' of the platform')
    parts.push(fold(summary, printTable(platformRewordings, diff)))
  }
  if (diff.accepted.length > 0) {
    parts.push('Accepted:', printAccepted(diff.accepted))
  }
  const usage = usageOf(diff).map(toCell)
  return [...parts, ...usage, ...printRequestTables(diff)].join('\n\n')
}

function printTable(changes: readonly Change[], diff: ContractDiff): string {
  const rows = changes.map((change) => {
    const { id, breaking, place, what, file, line } = change
    const bump = labelOf(change)
    const cells = [breaking ? `**${bump}**` : bump, `\`${place}\`, ${file}:${line}`]
    const consequences = consequencesOf(change, diff).join(' ')
    return `| ${[...cells, `${toCell(what)} \`${id}\``, toCell(consequences)].join(' | ')} |`
  })
  return ['| bump | where | what | for consumers |', '|---|---|---|---|', ...rows].join('\n')
}

function printAccepted(accepted: readonly AcceptedChange[]): string {
  const rows = accepted.map(({ id, place, what, reason, file, line }) => {
    return `| \`${place}\`, ${file}:${line} | ${toCell(what)} \`${id}\` | ${toCell(reason)} |`
  })
  return ['| where | what | why it is accepted |', '|---|---|---|', ...rows].join('\n')
}

function printRequestTables({ requests = [] }: ContractDiff): readonly string[] {
  return requests.flatMap((recorded) => {
    const { first, rest } = selectRejected(recorded)
    const rows = first.map((request) => {
      const { entry, operationId, operation } = request
      const name = toCell(`\`${operationId}\`, \`${operation}\``)
      return `| ${entry} | ${name} | ${toCell(describeRejected(request))} |`
    })
    const table = ['| entry | operation | why it is rejected |', '|---|---|---|', ...rows]
    const summary = toCell(summarizeRequests(recorded))
    const tables = rows.length > 0 ? [table.join('\n')] : []
    return [summary, ...tables, ...(rest === undefined ? [] : [rest])]
  })
}

/** Returns a part of a page of Markdown that is closed until it is opened. */
function fold(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`
}

// The text of a description must not become markup of the page that shows it.
function toCell(text: string): string {
  const cell = text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('@', '@\u200b')
  return cell.replaceAll('\n', ' ')
}

function printAnnotations(diff: ContractDiff): string {
  const { changes } = splitRewordings(diff.changes)
  const lines = changes.map((change) => {
    const { id, breaking, bump, place, what, file, line } = change
    // What was removed has a line in the base, which may be a file of another commit.
    const position = existsSync(file) ? `file=${file},line=${line}` : 'file=spec/openapi.yaml'
    const title = toData(`${bump}: ${place}`).replaceAll(':', '%3A').replaceAll(',', '%2C')
    const command = breaking ? 'warning' : 'notice'
    const text = [what, ...consequencesOf(change, diff), `(${id})`].join(' ')
    return `::${command} ${position},title=${title}::${toData(text)}`
  })
  const accepted = diff.accepted.map(({ id, place, what, reason }) => {
    return `::notice title=accepted::${toData(`${place}: ${what} ${reason} (${id})`)}`
  })
  const recordings = (diff.requests ?? []).map((recorded) => {
    const command = recorded.rejected.length > 0 ? 'warning' : 'notice'
    return `::${command} title=recorded requests::${toData(printRequests(recorded))}`
  })
  const summary = [summarize(diff), ...usageOf(diff)].join(' ')
  return [...lines, ...accepted, ...recordings, `::notice title=contract::${toData(summary)}`].join(
    '\n',
  )
}

function toData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function printJson(diff: ContractDiff): string {
  return JSON.stringify(diff, undefined, 2)
}
