import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { DescriptionError } from '../pipeline/failure.ts'
import type { Json } from '../pipeline/literal.ts'
import { projectPath } from '../pipeline/project.ts'
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

const redocly = projectPath('node_modules/@redocly/cli/bin/cli.js')
const configuration = projectPath('scripts/diff/redocly.yaml')

/** Every difference between two descriptions of one file each, by `redocly diff`. */
export async function runRedoclyDiff(base: string, current: string): Promise<Difference[]> {
  const options = ['--format=json', '--fail-on=none', '--config', configuration]
  const child = spawn(process.execPath, [redocly, 'diff', base, current, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  try {
    return JSON.parse(output).changes
  } catch {
    throw new DescriptionError([`redocly diff failed: ${complaint.trim()}`])
  }
}
