import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }

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

test('the workflow audits all packages, and keeps an SBOM of them', () => {
  const text = read('.github/workflows/supply-chain.yml')
  expect(text).toMatch(/^ +- run: npm audit --package-lock-only --audit-level=high$/m)
  expect(text).toMatch(/^ +- run: npm sbom .+ > /m)
})

test('every file that SECURITY.md names exists, and it has every OWASP API risk', () => {
  const security = read('SECURITY.md')
  const named = [...security.matchAll(/`([\w.-]+\/[\w./-]+)`/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(20)
  for (const name of new Set(named)) expect(existsSync(new URL(name, root)), name).toBe(true)
  for (let risk = 1; risk <= 10; risk++) expect(security).toMatch(new RegExp(`\\bAPI${risk}\\b`))
  expect(security.split(/\s+/).length).toBeLessThan(1_200)
})
