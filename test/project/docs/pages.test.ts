import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../../server/config.ts'
import { findBrokenReferences, listPages } from '../../helpers/pages.ts'
import { project, runProgram } from '../../helpers/program.ts'
import { variables } from '../../helpers/variables.ts'

const read = (name: string): string => readFileSync(join(project, name), 'utf8')

/** Returns the rows of all tables of a page that begin with code, each as the text of its cells. */
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

test('docs/configuration.md has the allowed values of each variable, as its error message has them', () => {
  const ofAnyText = ['HOST', 'OPS_HOST', 'OTEL_SERVICE_NAME']
  for (const [, name = '', , allowed] of configured) {
    if (ofAnyText.includes(name)) continue
    expect(() => readConfig({ [name]: '\0' })).toThrow(`. Allowed: ${allowed}.`)
  }
})

test('docs/operations.md has a row for each message of the log', () => {
  const code = globSync('server/**/*.ts', { cwd: project }).map(read).join('\n')
  // The first text of a call is its message.
  const calls = /\blog\.(?:info|warn|error|fatal)\((?:(?!Message)[^'])*?'([^']+)'/g
  const options = /(?:start|end)Message: '([^']+)'/g
  const messages = [calls, options].flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, message = '']) => message.trim()),
  )
  expect(messages.length).toBeGreaterThan(10)
  const rows = rowsOf('docs/operations.md')
    .map(([, cell = '']) => cell)
    .join('\n')
  expect(messages.filter((message) => !rows.includes(message))).toEqual([])
})

test('docs/operations.md has a row for each alert', () => {
  const alerts = [...read('deploy/prometheus/alerts.yaml').matchAll(/- alert: (\w+)/g)]
  expect(alerts.length).toBeGreaterThan(5)
  const named = rowsOf('docs/operations.md').map(([, name]) => name)
  expect(named).toEqual(expect.arrayContaining(alerts.map(([, name]) => name)))
})

test('the pages name npm scripts, files and headings that exist', () => {
  expect(findBrokenReferences(project)).toEqual([])
})

test('the Markdown of the pages is well-formed', async () => {
  const cli = join(project, 'node_modules/@redocly/cli/bin/cli.js')
  // Releases have the same headings in the changelog.
  const pages = listPages(project).filter((page) => !/^(?:\.github\/|CHANGELOG)/.test(page))
  const { status, output } = await runProgram(cli, ['recheck', ...pages], { cwd: project })
  expect(status, output).toBe(0)
})
