import { DescriptionError } from '../pipeline/failure.ts'
import type { Step } from './contract-diff.ts'

/** The three numbers of a version of semver.org; releases carry nothing behind them. */
export type Version = readonly [major: number, minor: number, patch: number]

/** Returns the numbers of a version such as `1.2.0`; undefined if a text is none. */
export function parseVersion(text: string): Version | undefined {
  const match = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(text)
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3])]
}

/** Compares two versions: below 0 if the first is lower, 0 if they are the same. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [demandVersion(one), demandVersion(other)]
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2]
}

/** Returns the version that follows another by a step. */
export function stepVersion(version: string, step: Step): string {
  const [major, minor, patch] = demandVersion(version)
  if (step === 'major') return `${major + 1}.0.0`
  if (step === 'minor') return `${major}.${minor + 1}.0`
  return step === 'patch' ? `${major}.${minor}.${patch + 1}` : version
}

function demandVersion(text: string): Version {
  const version = parseVersion(text)
  if (version !== undefined) return version
  throw new DescriptionError([
    `info.version is ${JSON.stringify(text)}; write three numbers, such as 1.2.0`,
  ])
}
