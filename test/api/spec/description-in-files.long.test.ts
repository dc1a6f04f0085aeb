import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startProgram } from '../../helpers/program.ts'
import { createClone } from '../../helpers/project-clone.ts'
import { editSpec, runInCopy, tryInCopy } from '../../helpers/project-copy.ts'
import { inlineParameter, moveSchema } from '../../helpers/spec-edit.ts'

test('schemas in files of their own and an inlined parameter change nothing for tests, commands and the peers of the benchmark', {
  timeout: 300_000,
}, async () => {
  const copy = await createClone()
  const run = (line: string) => runInCopy(copy, line)
  await run('mkdir spec/schemas')
  const edits = ['Id', 'PetName', 'PetStatus', 'Pets'].map((name) =>
    moveSchema(name, `schemas/${name}.yaml`, (text) =>
      writeFileSync(join(copy, `spec/schemas/${name}.yaml`), text),
    ),
  )
  await editSpec(copy, inlineParameter('Limit', 'paths /pets get parameters 0'), ...edits)
  await run('npm run -s generate')
  expect(await run('npm run -s diff')).toMatch(/^Nothing has changed|^patch/m)
  await run('node node_modules/typescript7/bin/tsc -p tsconfig.json')

  const { output } = await tryInCopy(copy, 'npm run -s export -- --status lost')
  expect(output).toMatch(/^Name a status: --status \w+ or --status /m)
  for (const args of [['fastify.ts'], ['express.ts', '--validator']]) {
    const [peer = '', ...options] = args
    const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' }
    const program = startProgram(join(copy, 'bench/peers', peer), options, { cwd: copy, env })
    const [origin = ''] = await program.waitForOutput(/^http:\S+$/m)
    expect((await fetch(new URL('/v1/pets', origin))).status).toBe(401)
    await program.kill('SIGKILL')
  }

  // In one process, because loading takes most of their time.
  const tests = ['list-pets', 'create-pet', 'get-pet', 'names', 'statuses'].map(
    (name) => `test/api/${name}.test.ts`,
  )
  await run(`npx --no-install vitest run --no-isolate --maxWorkers 1 ${tests.join(' ')}`)
})
