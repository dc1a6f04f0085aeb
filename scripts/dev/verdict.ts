import { type ContractDiff, compareVersions, countedChanges } from '../diff/contract-diff.ts'
import { count } from '../diff/report.ts'
import type { LoopState } from './state.ts'

/** The result of a run. */
export interface Verdict {
  readonly tone: 'good' | 'warn' | 'bad'
  /** The kind of result, for the column of the terminal. */
  readonly label: string
  /** The result in one line, for the head of the studio page and its title. */
  readonly title: string
  /** What is served, in sentences. */
  readonly text: string
  /** Why the last save is not served, unless errors of the linter say it; a step of the studio page has it. */
  readonly reason?: string
}

/** Returns the result of the last run. */
export function verdictOf(state: LoopState): Verdict {
  const { run, lint, trouble, service } = state
  if (lint.length > 0 || trouble !== undefined) {
    const title = lint.length > 0 ? titleOfErrors(state) : 'The last save does not run'
    const reason = trouble === undefined ? {} : { reason: trouble.replace(/\.?$/, '.') }
    const before = service === undefined ? '' : ` The last valid version is served at ${service}.`
    const text = `The last save is not served.${before}`
    return { tone: 'bad', label: 'Broken', title, text, ...reason }
  }
  if (run === 0) {
    const text = 'The description is compiled and the service starts. The first time takes longest.'
    return { tone: 'warn', label: 'Starting', title: 'Starting', text }
  }
  return verdictOfServed(state)
}

/** Returns how many errors the linter has found, and in which file. */
export function titleOfErrors({ lint }: LoopState): string {
  const files = new Set(lint.map(({ file }) => file))
  const [file = ''] = files
  return `${count(lint.length, 'error')} in ${files.size === 1 ? file : count(files.size, 'file')}`
}

/** Returns on how many lines there is something to change. */
export function countLines(code: LoopState['code']): number {
  return new Set(code.map(({ file, line }) => `${file}:${line}`)).size
}

function verdictOfServed(state: LoopState): Verdict {
  const { code, gate, diff } = state
  const served = 'The last save is served'
  const title = titleOfServed(state)
  const isBreaking = gate.length > 0 && diff?.bump === 'major'
  const tone = isBreaking ? 'bad' : 'warn'
  if (code.length > 0) {
    const text = `${served}; requests that need this code may fail.`
    return { tone, label: 'Code to change', title, text }
  }
  if (gate.length === 0) {
    return { tone: 'good', label: 'Healthy', title, text: `${served}.` }
  }
  if (diff !== undefined && isTooLow(diff) && gate.length === 1) {
    const text = `${served}; to release it, write version: ${diff.needed}.`
    return { tone, label: 'Version to raise', title, text }
  }
  return { tone, label: 'Not releasable', title, text: `${served}; npm run check rejects it.` }
}

/** Returns what the contract needs, then what the code needs, then how it stands to the last release. */
function titleOfServed({ code, gate, diff }: LoopState): string {
  if (diff !== undefined && isTooLow(diff)) {
    return titleOfLowVersion(diff)
  }
  if (gate.length > 0) {
    const version = diff?.current.version ?? 'The description'
    return `${version} cannot be released yet`
  }
  if (code.length > 0) {
    return `${count(countLines(code), 'line')} of code to change`
  }
  return diff === undefined ? 'There is no release to compare with yet' : titleOfReleasable(diff)
}

function isTooLow({ current, needed }: ContractDiff): boolean {
  return compareVersions(current.version, needed) < 0
}

function titleOfLowVersion({ bump, changes, needed, breakingNote }: ContractDiff): string {
  const weightiest = countedChanges(changes).filter((change) => change.bump === bump)
  const isReworded = weightiest.every(({ isRewording }) => isRewording === true)
  if (bump === 'none') {
    return `The version is too low: needs ${needed}`
  }
  if (bump === 'major' && weightiest.length === 0 && breakingNote !== undefined) {
    return `Breaking note in CHANGELOG.md: needs ${needed}`
  }
  if (bump === 'patch' && isReworded) {
    return `Only texts and examples changed: needs ${needed}`
  }
  const kind = bump === 'major' ? 'breaking change' : 'compatible change'
  return weightiest.length === 1
    ? `${kind.charAt(0).toUpperCase()}${kind.slice(1)}: needs ${needed}`
    : `${count(weightiest.length, kind)}: need ${needed}`
}

function titleOfReleasable({ bump, changes, base, current }: ContractDiff): string {
  if (bump !== 'none') {
    return `Version ${current.version} allows for the changes since ${base.version}`
  }
  const what = changes.length === 0 ? 'Nothing changed' : 'Nothing changed for consumers'
  return `${what} since ${base.version}`
}
