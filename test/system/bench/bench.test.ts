import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parts } from '../../../bench/parts.ts'

test('docs/performance.md names the parts of a run', () => {
  const page = readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8')
  const named = [...page.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(([, names = '']) =>
    names.split(', ').map((name) => name.slice(1, -1)),
  )
  expect(named).toEqual(Object.keys(parts))
})
