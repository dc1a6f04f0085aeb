import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describeExchange, type Exchange } from './exchange.ts'
import { toHar } from './har.ts'

const run = promisify(execFile)
const project = resolve(import.meta.dirname, '../../..')
const redocly = join(project, 'node_modules/@redocly/cli/bin/cli.js')
// Any configuration will do, and this one loads no rules of ours.
const configuration = join(project, 'scripts/pipeline/lint-levels/minimal.yaml')

/** How many of a kind there are in the description, and how many the traffic has. */
export interface Share {
  readonly covered: number
  readonly total: number
}

export interface Drift {
  readonly operations: Share
  readonly parameters: Share
  readonly statuses: Share
  /** What of these the traffic lacks, one line each. */
  readonly missing: readonly string[]
  /** Where an exchange is not what the description says, one line each. */
  readonly findings: readonly string[]
}

/** The parts of the reports of `redocly drift` that are read here. */
interface Coverage {
  readonly totals: Readonly<Record<'operations' | 'parameters' | 'responses', Share>>
  readonly operations: readonly {
    readonly operationId: string
    readonly missing: readonly Missing[]
  }[]
}
interface Missing {
  readonly kind: string
  readonly name?: string
  readonly in?: string
  readonly status?: string
}
interface Sarif {
  readonly runs: readonly [{ readonly results: readonly Finding[] }]
}
interface Finding {
  readonly message: { readonly text: string }
  readonly properties: {
    readonly exchangeIndex: number
    readonly operationId?: string
    readonly target?: string
    readonly schemaPath?: string
    readonly dataPath?: string
  }
}

/** Holds exchanges that reached an operation against a description, by `redocly drift`. */
export async function findDrift(
  exchanges: readonly Exchange[],
  description = join(project, 'generated/openapi.json'),
): Promise<Drift> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-drift-'))
  try {
    const [traffic, sarif, coverage] = ['traffic.har', 'drift.json', 'coverage.json'].map((name) =>
      join(folder, name),
    ) as [string, string, string]
    writeFileSync(traffic, toHar(exchanges))
    await runDrift(
      ...[traffic, '--api', description, '--match-mode', 'basepath', '--config', configuration],
      // That a client may send headers of its own is what `info` tells.
      ...['--min-severity', 'warning', '--format', 'sarif', '--output', sarif],
      ...['--coverage-output', coverage],
    )
    const { totals, operations }: Coverage = JSON.parse(readFileSync(coverage, 'utf8'))
    const found: Sarif = JSON.parse(readFileSync(sarif, 'utf8'))
    return {
      operations: totals.operations,
      parameters: totals.parameters,
      statuses: totals.responses,
      missing: operations.flatMap(({ operationId, missing }) =>
        missing.flatMap((item) => describeMissing(operationId, item)),
      ),
      findings: found.runs[0].results.flatMap((finding) => describeFinding(finding, exchanges)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runDrift(...args: readonly string[]): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  }
  const running = run(process.execPath, [redocly, 'drift', ...args], { env })
  // It ends with 1 where it has findings; that it could not run at all shows in its reports.
  await running.catch(({ code, stderr }: { code?: unknown; stderr?: unknown }) => {
    if (code !== 1) throw new Error(`redocly drift ended with ${code}: ${stderr}`)
  })
}

function describeMissing(operationId: string, { kind, name, in: where, status }: Missing) {
  switch (kind) {
    case 'operation':
      return [operationId]
    case 'parameter':
      return [`${operationId} ${where} parameter ${name}`]
    case 'response':
      return [`${operationId} ${status}`]
    default:
      // Which fields of a body were seen is told by drift, and not asked for.
      return []
  }
}

// What was refused broke the contract on purpose: only requests that succeeded are judged.
function describeFinding({ message, properties }: Finding, exchanges: readonly Exchange[]) {
  const { exchangeIndex, operationId, target, schemaPath, dataPath } = properties
  const exchange = exchanges[exchangeIndex]
  if (exchange === undefined) return [message.text]
  if (target === 'request' && exchange.status >= 300) return []
  const place = [target, dataPath, schemaPath].filter(Boolean).join(' ')
  return [`${describeExchange(exchange)}: ${operationId}: ${message.text} (${place})`]
}
