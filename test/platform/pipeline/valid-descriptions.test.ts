import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { writeFolder } from '../../../scripts/pipeline/output-folder.ts'
import { project, runProgram } from '../../helpers/program.ts'
import { descriptions, otherFiles } from '../spec-edits/valid-descriptions.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'valid-'))
  for (const [name, content] of Object.entries(otherFiles)) {
    await writeFile(join(folder, name), JSON.stringify(content))
  }
  return () => rm(folder, { recursive: true })
})

test.for(Object.entries(descriptions))('%s compiles', async ([name, [openapi, fragment]]) => {
  const spec = join(folder, `${name}.json`)
  const info = { title: 'A', version: '1' }
  await writeFile(spec, JSON.stringify({ openapi, info, paths: {}, ...fragment }))
  const { artifacts, warnings } = await compile(spec, 'minimal')
  await writeFolder(join(folder, 'compiled', name), artifacts)
  const skipped = warnings.filter((line) => line.endsWith('is not compiled'))
  expect(skipped).toHaveLength(/method.* of OpenAPI 3\.2/.test(name) ? 2 : 0)
})

test('what they compile into type-checks', async () => {
  expect(await typeCheck()).toBe('')
})

/** Type-checks what all descriptions were compiled into; returns the compiler's output. */
async function typeCheck(): Promise<string> {
  const compiled = join(folder, 'compiled')
  await writeFile(join(compiled, 'package.json'), JSON.stringify({ type: 'module' }))
  const compilerOptions = { types: [], skipLibCheck: false }
  const settings = { extends: join(project, 'tsconfig.json'), compilerOptions, include: ['**/*'] }
  await writeFile(join(compiled, 'tsconfig.json'), JSON.stringify(settings))
  const args = ['-p', compiled, '--checkers', '1']
  const { output, complaint } = await runProgram('node_modules/typescript7/bin/tsc', args)
  expect(complaint).toBe('')
  return output
}
