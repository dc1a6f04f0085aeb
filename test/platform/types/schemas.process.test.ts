import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { project } from '../../helpers/program.ts'
import { createProjectCopy, tryInCopy } from '../../helpers/project-copy.ts'

const cases = join(import.meta.dirname, 'cases')
const parts = ['package.json', 'tsconfig.json', 'generated', 'server', 'client']
const config = {
  extends: './tsconfig.json',
  // What is generated is checked, too.
  compilerOptions: { skipLibCheck: false, skipDefaultLibCheck: true },
  include: ['cases'],
}

/** Writes the folder of a case: what its description compiles into, a client, and the calls that are checked. */
async function writeCase(copy: string, name: string): Promise<void> {
  const folder = join(copy, 'cases', name)
  await mkdir(join(folder, 'generated'), { recursive: true })
  const { artifacts } = await compile(join(cases, `${name}.yaml`), 'minimal')
  for (const [file, text] of artifacts) {
    await writeFile(join(folder, 'generated', file), text)
  }

  // But its index, which has the names of another API.
  const isCopied = (source: string) => source !== join(copy, 'client/index.ts')
  await cp(join(copy, 'client'), join(folder, 'client'), { recursive: true, filter: isCopied })
  await cp(join(cases, 'api.ts'), join(folder, 'api.ts'))
  await cp(join(cases, `${name}.test-d.ts`), join(folder, `${name}.test-d.ts`))
}

/** Returns the examples of a page of the documentation, as one module that has the client of a case. */
async function readExamples(name: string): Promise<string> {
  const page = await readFile(join(project, 'docs', name), 'utf8')
  const examples = Array.from(page.matchAll(/^```ts\n(.*?)^```$/gms), ([, code]) => code)
  expect(examples.length).toBeGreaterThan(3)
  return ["import { client } from './api.ts'", ...examples]
    .join('\n')
    .replaceAll("'book-club-client'", "'./generated/calls.ts'")
    .replaceAll("'book-club-client/react-query'", "'./client/react-query.ts'")
    .replaceAll("'book-club-client/testing'", "'./client/testing.ts'")
}

test('clients and handlers have the types of every kind of schema, in both directions', async () => {
  const copy = await createProjectCopy(parts)
  const files = await readdir(cases)
  for (const file of files.filter((each) => each.endsWith('.yaml'))) {
    await writeCase(copy, file.replace('.yaml', ''))
  }
  await writeFile(join(copy, 'cases/content/page.ts'), await readExamples('client-content.md'))
  await writeFile(join(copy, 'cases/react-query/page.ts'), await readExamples('client.md'))
  await writeFile(join(copy, 'cases.json'), JSON.stringify(config))

  const compiled = await tryInCopy(copy, 'node node_modules/typescript7/bin/tsc -p cases.json')
  expect(compiled).toEqual({ status: 0, output: '' })
})
