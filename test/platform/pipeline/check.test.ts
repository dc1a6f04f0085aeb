import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contractStep } from '../../../scripts/checks/contract-step.ts'
import { run } from './support/program.ts'
import { copyProject, createFolder } from './support/workspace.ts'

test('a folder that is what the spec compiles into is fine', async () => {
  expect(await contractStep().run()).toEqual([])
})

test('each file that is missing is named with the command that mends it', async () => {
  const faults = await contractStep(undefined, await createFolder()).run()
  expect(faults).toEqual([
    expect.stringMatching(/\/openapi\.d\.ts is missing; run: npm run generate$/),
    expect.stringMatching(/\/openapi\.json is missing; run: npm run generate$/),
    expect.stringMatching(/\/openapi\.json\.sha256 is missing; run: npm run generate$/),
    expect.stringMatching(/\/calls\.ts is missing; run: npm run generate$/),
    expect.stringMatching(/\/examples\.ts is missing; run: npm run generate$/),
    expect.stringMatching(/\/operations\.ts is missing; run: npm run generate$/),
    expect.stringMatching(/\/validators\.js is missing; run: npm run generate$/),
    expect.stringMatching(/\/validators\.d\.ts is missing; run: npm run generate$/),
  ])
})

test('every failure of a check is reported, not only the first', { timeout: 300_000 }, async () => {
  const copy = await copyProject()
  const table = join(copy, 'generated/operations.ts')
  await appendFile(table, '// Changed by hand.\n')
  await rm(join(copy, 'generated/openapi.json'))
  await writeFile(join(copy, 'generated/notes.md'), 'mine')
  await writeFile(join(copy, 'scripts/misplaced.ts'), 'export const a: string = 1;\n')
  const { status, output } = await run(join(copy, 'scripts/check.ts'), [], { cwd: copy })
  expect(status).toBe(1)
  expect(output).toMatch(/^FAILED spec lint and freshness of generated\/ \(\d+\.\d s\)$/m)
  expect(output).toContain('  generated/operations.ts is stale; run: npm run generate\n')
  expect(output).toContain('  generated/openapi.json is missing; run: npm run generate\n')
  expect(output).toContain('  generated/notes.md does not come from the spec; ')
  expect(output).toMatch(/^FAILED code lint and format/m)
  expect(output).toContain('most of this is mended by: npm run format')
  expect(output).toMatch(/^FAILED types/m)
  expect(output).toContain("scripts/misplaced.ts(1,14): error TS2322: Type 'number'")
})

test('a check of a project in order says so in a line for each step', {
  timeout: 300_000,
}, async () => {
  const copy = await copyProject()
  const { status, output } = await run(join(copy, 'scripts/check.ts'), [], { cwd: copy })
  expect(
    output
      .replaceAll(/\d+\.\d/g, '0.0')
      .split('\n')
      // What a step adds, such as a score, depends on the spec.
      .filter((line) => /^\S/.test(line))
      .sort(),
  ).toEqual([
    'ok     code lint and format (0.0 s)',
    'ok     redocly score (0.0 s)',
    'ok     responses that the service makes itself (0.0 s)',
    'ok     spec lint and freshness of generated/ (0.0 s)',
    'ok     types (0.0 s)',
    'ok     version and promises since the last release (0.0 s)',
    'ok     workflows (0.0 s)',
  ])
  expect(output).toMatch(/^ {2}agentReadiness \d.* errorClarity \d+(?:\.\d)?$/m)
  expect(status).toBe(0)
})
