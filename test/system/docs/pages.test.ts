import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../../server/config.ts'
import { findBrokenReferences, listPages } from '../../helpers/pages.ts'
import { project, runProgram } from '../../helpers/program.ts'
import { planTerms } from '../../helpers/service.ts'
import { variables } from '../../helpers/variables.ts'

const read = (name: string): string => readFileSync(join(project, name), 'utf8')

/** The rows of all tables of a page that begin with code, each as the text of its cells. */
function rowsOf(page: string): string[][] {
  const lines = read(page).split('\n')
  const rows = lines.filter((line) => line.startsWith('| `'))
  return rows.map((row) => row.split('|').map((cell) => cell.replaceAll('`', '').trim()))
}

const configured = rowsOf('docs/configuration.md').filter(([, name]) =>
  /^[A-Z_]+$/.test(name ?? ''),
)

test('docs/configuration.md has each environment variable, with its default', () => {
  const names = configured.map(([, name]) => name)
  expect(names.toSorted()).toEqual(variables.filter((name) => name !== 'NODE_ENV').toSorted())
  const defaults = configured.map(([, name = '', value = '']) => [name, value])
  expect(readConfig(Object.fromEntries(defaults))).toEqual(readConfig({}))
})

test('docs/configuration.md has what is allowed for each variable, as its error says it', () => {
  const invalid = Object.fromEntries(variables.map((name) => [name, '\0']))
  const allowed = new Map(configured.map(([, name, , text]) => [name, text]))
  let lines: string[] = []
  try {
    readConfig(invalid)
  } catch (error) {
    lines = error instanceof Error ? error.message.split('\n') : []
  }
  expect(lines.length).toBeGreaterThan(20)
  for (const line of lines) {
    const [, name, text] = /^(\w+) is .*\. Allowed: (.*)\.$/.exec(line) ?? []
    expect(allowed.get(name), name).toBe(text)
  }
})

test('docs/configuration.md has the limits of each plan', () => {
  for (const plan of ['free', 'pro', 'business'] as const) {
    const { perMinute, perDay } = planTerms(plan)
    const [minute, day] = [perMinute, perDay].map((each) => each.toLocaleString('en'))
    expect(rowsOf('docs/configuration.md')).toContainEqual(['', plan, minute, day, ''])
  }
})

test('docs/operations.md has each message of the log, and no other', () => {
  const rows = read('docs/operations.md')
    .split('\n')
    .filter((line) => /^\| `.*\| (?:debug|info|warn|error|fatal)\b/.test(line))
  const messages = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
  // What is a parameter in the code is not compared.
  const fixed = messages.map(([, message = '']) => message.split(': …')[0] ?? '')
  const code = globSync('server/**/*.ts', { cwd: project }).map(read).join('\n')
  expect(fixed.filter((message) => !code.includes(message))).toEqual([])
  // The first text of a call is its message.
  const calls = /\blog\.(?:info|warn|error|fatal)\((?:(?!Message)[^'])*?'([^']+)'/g
  const options = /(?:start|end)Message: '([^']+)'/g
  const logged = [calls, options].flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, message = '']) => message.trim()),
  )
  expect(logged.length).toBeGreaterThan(10)
  const page = rows.join('\n')
  expect(logged.filter((message) => !page.includes(message))).toEqual([])
})

test('docs/operations.md has each alert, and no other', () => {
  const { groups } = parse(read('deploy/prometheus/alerts.yaml'))
  const alerts = groups.flatMap(({ rules }: { rules: { alert?: string }[] }) =>
    rules.flatMap(({ alert }) => alert ?? []),
  )
  expect(alerts.length).toBeGreaterThan(5)
  const named = rowsOf('docs/operations.md').map(([, name = '']) => name)
  expect(named.filter((name) => /^[A-Z][A-Za-z]+$/.test(name))).toEqual(alerts)
})

test('docs/api-design.md has each extension of OpenAPI that the description uses, and none that the code does not know', () => {
  const used = new Set(read('spec/openapi.yaml').match(/\bx-(?!rate|request|content)[a-z-]+(?=:)/g))
  const named = rowsOf('docs/api-design.md').map(([, name = '']) => name)
  expect(named).toEqual(expect.arrayContaining([...used]))
  const code = globSync('{scripts,server}/**/*.ts', { cwd: project }).map(read).join('\n')
  const extensions = named.filter((name) => name.startsWith('x-'))
  expect(extensions.filter((name) => !code.includes(`'${name}'`))).toEqual([])
})

test('the pages name npm scripts, files and headings that exist', () => {
  expect(findBrokenReferences(project)).toEqual([])
})

test('the Markdown of the pages is well-formed', async () => {
  const cli = join(project, 'node_modules/@redocly/cli/bin/cli.js')
  const pages = listPages(project).filter((page) => !page.startsWith('.github/'))
  const { status, output } = await runProgram(cli, ['recheck', ...pages], { cwd: project })
  expect({ status, output }).toMatchObject({ status: 0 })
})
