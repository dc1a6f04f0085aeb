import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { project } from '../pipeline/support/workspace.ts'

const folder = join(project, 'client')
const readme = readFileSync(join(folder, 'README.md'), 'utf8')

/** The names of the members of an interface, as its file declares them. */
function membersOf(file: string, name: string): string[] {
  const text = readFileSync(join(folder, file), 'utf8')
  const [, body = ''] = new RegExp(`interface ${name} [^]*?\\{\\n([^]*?)^\\}`, 'm').exec(text) ?? []
  return Array.from(body.matchAll(/^ {2}readonly (\w+)/gm), ([, member = '']) => member)
}

test('the table of methods has each operation of the contract, and marks the deprecated', () => {
  const [, table = ''] = readme.split(/^\| method .*$/m)
  const [own = ''] = table.split('\n\n')
  const rows = own.matchAll(/^\| `(\w+)`( \(deprecated\))? \|/gm)
  const named = Array.from(rows, ([, name, mark]) => [name, mark !== undefined])
  const known = Object.values(operations).map((row) => [row.operationId, 'deprecation' in row])
  expect(named).toEqual(known)
})

test('the table of options has each option', () => {
  const [, table = ''] = readme.split(/^## Options$/m)
  const cells = Array.from(table.matchAll(/^\| (`[^|]*) \|/gm), ([, cell = '']) => cell)
  const named = cells.flatMap((cell) =>
    Array.from(cell.matchAll(/`([\w.]+)`/g), ([, name]) => name),
  )
  const known = [
    ...membersOf('options.ts', 'AnimalStoreOptions'),
    ...membersOf('call-options.ts', 'RetryOptions').map((name) => `retry.${name}`),
    ...membersOf('call-options.ts', 'TimeoutOptions').map((name) => `timeout.${name}`),
    'maxPages',
  ]
  expect(new Set(named)).toEqual(new Set(known))
  expect(known.length).toBeGreaterThan(10)
})

test('the defaults that the README names are those of the code', () => {
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  const code = sources.map((name) => readFileSync(join(folder, name), 'utf8')).join('')
  const rows = readme.matchAll(/^\| `(?:\w+\.)?(\w+)`[^|]* \| ([\d,]+) \|/gm)
  const named = Array.from(rows, ([, name, number = '']) => [name, number.replaceAll(',', '')])
  // Each is where an option is taken apart: `{ name = 1 }`, with another name or a condition at most.
  const inCode = named.map(([name]) => {
    const [, number = ''] =
      new RegExp(`\\{[^}]*\\b${name}(?:: \\w+)? = (?:[^,}=]* (?::|\\?\\?) )?([\\d_]+)`).exec(
        code,
      ) ?? []
    return [name, number.replaceAll('_', '')]
  })
  expect(named).toHaveLength(7)
  expect(inCode).toEqual(named)
})
