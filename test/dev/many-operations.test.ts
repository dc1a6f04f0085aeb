import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createProjectCopy, editSpec } from '../edits/support/project-copy.ts'
import { startLoopIn } from './support/designer-loop.ts'
import { operationsMultiplied } from './support/many-operations.ts'

// Nothing here is slow by itself; the times are guards against waiting for ever.
const patience = 120_000

test('a description with a thousand operations is served soon after it is saved', {
  timeout: 2 * patience,
}, async ({ annotate }) => {
  const copy = await createProjectCopy()
  const spec = join(copy, 'spec/openapi.yaml')
  await editSpec(copy, operationsMultiplied(1000))
  const loop = await startLoopIn(copy, { RATE_LIMITS: 'off' })
  onTestFinished(() => void loop.end('SIGKILL'))
  const { operations } = await loop.until((state) => state.operations.length > 0)
  expect(operations.length).toBeGreaterThanOrEqual(1000)
  expect(operations.filter(({ state }) => state === 'implemented')).toHaveLength(3)
  const answer = async () => (await loop.send('/v1/copy333/pets?limit=60')).status
  expect(await answer()).toBe(200)

  // The types of so many operations take longer; no save is to be measured with those before it.
  const blocks = () => loop.printed().match(/^.* s: lint /gm)?.length
  const text = await readFile(spec, 'utf8')
  const times: number[] = []
  for (const [index, maximum] of [50, 100].entries()) {
    await expect.poll(blocks, { timeout: patience }).toBe(index + 1)
    const saved = performance.now()
    await writeFile(spec, text.replace('maximum: 100, default', `maximum: ${maximum}, default`))
    await expect.poll(answer, { timeout: patience, interval: 10 }).toBe(maximum === 50 ? 400 : 200)
    times.push(performance.now() - saved)
  }
  const seconds = times.map((time) => (time / 1000).toFixed(2)).join(', ')
  await annotate(`from save to answer with a thousand operations: ${seconds} s`, 'measured')
  console.log(`from save to answer with a thousand operations: ${seconds} s`)
})
