import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { listPlatformFiles } from '../../../scripts/platform/ownership.ts'
import { readConfig } from '../../../server/config.ts'
import { requestSettingsOf } from '../../../server/description/settings.ts'
import { project } from '../../helpers/program.ts'
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
  const defaults = configured.map(([, variable = '', value = '']) => {
    return [variable, value.replace('NAME', packageJson.name)]
  })
  expect(readConfig(Object.fromEntries(defaults))).toEqual(readConfig({}))
})

test('docs/configuration.md has the allowed values of each variable, as its error message has them', () => {
  const ofAnyText = ['HOST', 'OPS_HOST', 'OTEL_SERVICE_NAME']
  for (const [, name = '', , allowed] of configured) {
    if (ofAnyText.includes(name)) {
      continue
    }
    expect(() => readConfig({ [name]: '\0' })).toThrow(`. Allowed: ${allowed}.`)
  }
})

test('docs/configuration.md has each setting of requests, with its default', () => {
  const rows = rowsOf('docs/configuration.md').map(([, name = '', value = '']) => [name, value])
  for (const [name, value] of Object.entries(requestSettingsOf({}))) {
    expect(rows).toContainEqual([name, String(value)])
  }
})

test('docs/operations.md has a row for each message that the platform logs', async () => {
  const files = await listPlatformFiles()
  const code = files
    .filter((file) => /^server\/.*\.ts$/.test(file))
    .map(read)
    .join('\n')
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
