import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from '../../helpers/program.ts'
import { planTerms } from '../../helpers/service.ts'
import { variables } from '../../helpers/variables.ts'

const read = (name: string): string => readFileSync(join(project, name), 'utf8')

const rows = read('docs/limits.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| limit |'))
  .map((row) => {
    const [, limit = '', number = '', place = '', beyond = ''] = row.split('|')
    return { limit: limit.trim(), number, place: place.trim(), beyond: beyond.trim() }
  })
const named = rows.flatMap(({ number, place }) => {
  const [, name] = /^`([A-Z_]{2,})`$/.exec(place) ?? []
  return name === undefined ? [] : [{ name, number: number.replaceAll(/\D/g, '') }]
})

test('docs/limits.md has each variable that is a limit, with its default', () => {
  // A test of the README compares its defaults with those of the service.
  const table = [...read('README.md').matchAll(/^\| `([A-Z_]+)` \| `([^`]*)` \|/gm)]
  const defaults = new Map(table.map(([, name, value]) => [name, value]))
  for (const { name, number } of named) expect(number, name).toBe(defaults.get(name))
  const limits = variables.filter((name) =>
    /MAX|SECONDS|HOURS|PER_|AFTER|SIZE|_MS|AT_ONCE/.test(name),
  )
  expect(named.map(({ name }) => name).toSorted()).toEqual(limits.toSorted())
})

test('docs/limits.md has the limits of each plan', () => {
  for (const plan of ['free', 'pro', 'business'] as const) {
    const { perMinute, perDay } = planTerms(plan)
    const { number } = rows.find(({ limit }) => limit.endsWith(`\`${plan}\``)) ?? {}
    const [minute, day] = [perMinute, perDay].map((each) => each.toLocaleString('en'))
    expect(number?.trim()).toBe(`${minute} a minute, ${day} a day`)
  }
})

test('docs/limits.md says for each limit what happens beyond it', () => {
  expect(rows.length).toBeGreaterThan(30)
  const silent = rows.filter(({ beyond }) => beyond === '').map(({ limit }) => limit)
  expect(silent).toEqual(['length of a ban'])
})

test('docs/operations.md has the messages of the log as they are in the code', () => {
  const rows = read('docs/operations.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const messages = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
  const code = globSync('server/**/*.ts', { cwd: project }).map(read).join()
  expect(messages.length).toBeGreaterThan(10)
  // What is a parameter in the code is not compared.
  const fixed = messages.map(([, message = '']) => message.split(/…| MAX_/)[0] ?? '')
  expect(fixed.filter((message) => !code.includes(message))).toEqual([])
})
