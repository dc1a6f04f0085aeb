import { readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addPart, createProjectCopy } from '../edits/support/project-copy.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'
import { follow } from './support/follow.ts'
import { readGuide } from './support/guide.ts'

const page = readFileSync(new URL('../../docs/add-an-operation.md', import.meta.url), 'utf8')
const steps = readGuide(page)

async function createCopy(): Promise<string> {
  const copy = await createProjectCopy()
  await Promise.all(['test', 'vitest.config.ts', 'LICENSE'].map((part) => addPart(copy, part)))
  return copy
}

test('the words above each block name its file', () => {
  const snippets = steps.flatMap((step) => (step.kind === 'snippets' ? step.snippets : []))
  expect(snippets.length).toBeGreaterThan(10)
  for (const { file, prose } of snippets) expect(prose).toContain(`\`${file}\``)
})

test('a page with a block that cannot be followed is refused', () => {
  expect(() => readGuide('```ts\nconst a = 1\n```\n')).toThrow('Nobody knows where this goes: ts')
  expect(() => readGuide('```text\nok\n```\n')).toThrow('Nothing prints:\nok')
})

test('whoever follows the page has an operation that works, and misses each step left out', {
  timeout: 180_000,
}, async () => {
  const copy = await createCopy()
  const left: Promise<readonly [string, string | undefined]>[] = []
  for (const [number, step] of steps.entries()) {
    if (step.kind === 'snippets') {
      // From here on without this step; one at a time, beside what goes on.
      await left.at(-1)
      const other = join(createTemporaryFolder(), 'copy')
      await cp(copy, other, { recursive: true, verbatimSymlinks: true })
      const rest = follow(other, steps.slice(number + 1))
      const [first] = step.snippets
      left.push(rest.then((fault) => [first?.file ?? '', fault] as const))
    }
    expect(await follow(copy, [step])).toBeUndefined()
  }
  const unnoticed = (await Promise.all(left)).filter(([, fault]) => fault === undefined)
  expect(unnoticed).toEqual([])
})
