import { readFileSync } from 'node:fs'
import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileIn } from '../edits/support/compiling.ts'
import { addPart, createProjectCopy } from '../edits/support/project-copy.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'
import { follow } from './support/follow.ts'
import { type GuideStep, readGuide } from './support/guide.ts'

const page = readFileSync(new URL('../../docs/add-an-operation.md', import.meta.url), 'utf8')
const steps = readGuide(page)

async function createCopy(): Promise<string> {
  const copy = await createProjectCopy()
  const others = ['test', 'bench', 'vitest.config.ts', 'LICENSE']
  await Promise.all(others.map((part) => addPart(copy, part)))
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
  timeout: 300_000,
}, async () => {
  const copy = await createCopy()
  const left: Promise<readonly [string, string | undefined]>[] = []
  for (const [number, step] of steps.entries()) {
    if (step.kind === 'snippets') {
      // From here on without this step; one at a time, beside what goes on.
      await left.at(-1)
      const other = join(createTemporaryFolder(), 'copy')
      await cp(copy, other, { recursive: true, verbatimSymlinks: true })
      const [first] = step.snippets
      const noticed = goOn(other, steps.slice(number + 1))
      left.push(noticed.then((fault) => [first?.file ?? '', fault] as const))
    }
    expect(await follow(copy, [step])).toBeUndefined()
  }
  const unnoticed = (await Promise.all(left)).filter(([, fault]) => fault === undefined)
  expect(unnoticed).toEqual([])
})

/** Follows the rest of the page; gives how it goes wrong, and looks first where that costs least. */
async function goOn(copy: string, rest: readonly GuideStep[]): Promise<string | undefined> {
  const snippets = rest.filter((step) => step.kind === 'snippets')
  const commands = rest.filter((step) => step.kind === 'command')
  const isCompiled = commands.some(({ prints }) => prints.some((line) => /^ok +types/.test(line)))
  // What the page has generated and broken before is no longer so when everything is pasted.
  if (!isCompiled || commands.some(({ fails }) => fails)) return follow(copy, rest)
  await follow(copy, snippets)
  return (await findTypeFault(copy)) ?? follow(copy, commands)
}

/** What `npm run check` says of the types, asked of a part of the code, which takes a third. */
async function findTypeFault(copy: string): Promise<string | undefined> {
  const part = { extends: './tsconfig.json', include: ['server', 'test/client/errors.test.ts'] }
  await writeFile(join(copy, 'part.json'), JSON.stringify(part))
  const { status, output } = await compileIn(copy, 'part.json')
  await rm(join(copy, 'part.json'))
  return status === 0 ? undefined : output
}
