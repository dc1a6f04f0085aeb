import { DescriptionError } from '../pipeline/failure.ts'
import type { Json } from '../pipeline/literal.ts'
import { projectPath } from '../pipeline/project.ts'
import { runRedocly } from '../pipeline/redocly.ts'
import type { Step } from './contract-diff.ts'

/** One difference, as `redocly diff --format json` reports it. */
export interface Difference {
  readonly kind: 'added' | 'removed' | 'modified'
  /** The type of the node, such as `Operation` or `Schema`. */
  readonly typeName: string
  readonly impact: Exclude<Step, 'none'>
  /** Where the node is, through the first use of what is shared. */
  readonly path: string
  /** What of the node was modified; `key` where it is its name. */
  readonly property?: string
  readonly base?: Side
  readonly revision?: Side
  readonly verdicts: readonly { readonly ruleId: string; readonly message: string }[]
}

/** Where a difference is in one of the two descriptions, and what stands there. */
export interface Side {
  readonly pointer: string
  readonly value?: Json
}

const configuration = projectPath('scripts/diff/redocly.yaml')

/** Every difference between two descriptions of one file each, by `redocly diff`. */
export async function runRedoclyDiff(base: string, current: string): Promise<Difference[]> {
  const options = ['--format=json', '--fail-on=none', '--config', configuration]
  const { output, complaint } = await runRedocly('diff', base, current, ...options)
  try {
    return JSON.parse(output).changes
  } catch {
    throw new DescriptionError([`redocly diff failed: ${complaint.trim()}`])
  }
}
