import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noChanges } from '../../scripts/dev/file-changes.ts'
import { createImportGraph } from '../../scripts/dev/import-graph.ts'
import { toShape } from '../../scripts/dev/shape.ts'
import { createFolder } from '../pipeline/support/workspace.ts'

async function createGraph(sources: Readonly<Record<string, string>>) {
  const folder = await createFolder()
  const graph = createImportGraph()
  const files = Object.keys(sources).map((name) => join(folder, name))
  const write = (name: string, text: string) => writeFile(join(folder, name), text)
  for (const [name, text] of Object.entries(sources)) await write(name, text)
  const touched = async (kind: 'changed' | 'deleted' | 'created', name: string) => {
    const found = await graph.touched(files, { ...noChanges, [kind]: [join(folder, name)] })
    return [...found].map((file) => file.slice(folder.length + 1)).sort()
  }
  return { touched, write }
}

const chain = {
  'base.d.ts': 'export interface Base {}',
  'star.ts': `export * from './base.d.ts'`,
  'lazy.ts': `const loaded = await import('./star.ts')`,
  'inline.ts': `let a: import("./star.ts").Base`,
  'page.js': `/** @import { Base } from './inline.ts' */`,
  'effect.ts': `import './lazy.ts'`,
  'other.ts': `import { test } from 'vitest'`,
}

test('whoever sees a file is found, however far away', async () => {
  const { touched } = await createGraph(chain)
  const all = Object.keys(chain).filter((name) => name !== 'other.ts')
  expect(await touched('changed', 'base.d.ts')).toEqual(all.sort())
  expect(await touched('changed', 'inline.ts')).toEqual(['inline.ts', 'page.js'])
  expect(await touched('changed', 'other.ts')).toEqual(['other.ts'])
})

test('imports are those of the file as it is now, and of files that come and go', async () => {
  const { touched, write } = await createGraph(chain)
  expect(await touched('changed', 'lazy.ts')).toEqual(['effect.ts', 'lazy.ts'])
  await write('effect.ts', `import './soon.ts'`)
  await touched('changed', 'effect.ts')
  expect(await touched('changed', 'lazy.ts')).toEqual(['lazy.ts'])
  expect(await touched('created', 'soon.ts')).toEqual(['effect.ts', 'soon.ts'])
  expect(await touched('deleted', 'inline.ts')).toEqual(['inline.ts', 'page.js'])
})

test('what is declared for everybody touches everybody, also when it goes', async () => {
  const { touched, write } = await createGraph({ ...chain, 'all.ts': 'declare global {}' })
  expect(await touched('changed', 'all.ts')).toHaveLength(8)
  await write('all.ts', 'export {}')
  expect(await touched('changed', 'all.ts')).toHaveLength(8)
  expect(await touched('changed', 'all.ts')).toEqual(['all.ts'])
})

test.for([
  ['a comment', 'a.ts', '/** one\n * two */\nlet a: 1\n', '/** other */\nlet a: 1\n', true],
  ['a type behind a comment', 'a.ts', '/** a */ let a: 1\n', '/** a */ let a: 2\n', false],
  ['a comment in a string', 'a.ts', 'let a: "/** a */"\n', 'let a: "/** b */"\n', false],
  ['a value', 'a.json', '{"a":[1,"b"]}', '{"a":[2,"c"]}', true],
  ['the kind of a value', 'a.json', '{"a":[1,"b"]}', '{"a":[2,3]}', false],
  ['a member', 'a.json', '{"a":1}', '{"b":1}', false],
  ['a digest', 'a.json.sha256', '1', '2', true],
] as const)('of %s code sees the right thing', ([, name, before, after, isSame]) => {
  expect(toShape(name, before) === toShape(name, after)).toBe(isSame)
})
