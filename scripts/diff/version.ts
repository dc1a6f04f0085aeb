import { DescriptionError } from '../pipeline/failure.ts'
import type { Step } from './contract-diff.ts'

/** Returns whether a text is a version of semver.org with nothing behind its three numbers. */
export function isVersion(text: string): boolean {
  return /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(text)
}

/** Compares two versions: below 0 if the first is lower, 0 if they are the same. */
export function compareVersions(one: string, other: string): number {
  demandVersions(one, other)
  return one.localeCompare(other, 'en', { numeric: true })
}

/** Returns the version that follows another by a step. */
export function stepVersion(version: string, step: Step): string {
  demandVersions(version)
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (step === 'major') return `${major + 1}.0.0`
  if (step === 'minor') return `${major}.${minor + 1}.0`
  return step === 'patch' ? `${major}.${minor}.${patch + 1}` : version
}

function demandVersions(...texts: readonly string[]): void {
  const wrong = texts.find((text) => !isVersion(text))
  if (wrong === undefined) return
  const hint = 'write three numbers, such as 1.2.0'
  throw new DescriptionError([`info.version is ${JSON.stringify(wrong)}; ${hint}`])
}
