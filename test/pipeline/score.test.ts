import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedScore, scoreStep } from '../../scripts/checks/score-step.ts'
import { createFolder, writeChangedSpec } from './support/workspace.ts'

test('the score is told, and is not below the one that is recorded', async () => {
  const notes: string[] = []
  expect(await scoreStep().run((note) => notes.push(note))).toEqual([])
  const recorded = JSON.parse(await readFile(recordedScore, 'utf8'))
  const figures = Object.entries(recorded).map(([name, value]) => `${name} ${value}`)
  expect(notes).toEqual([figures.join(', ')])
})

test('a spec that says less scores less, and that fails with both figures and what to do', async () => {
  const spec = await writeChangedSpec('description: Maximum number of animals to return.', '')
  const faults = await scoreStep(spec).run()
  expect(faults).toEqual([
    expect.stringMatching(
      /^documentationQuality fell to \d+(?:\.\d)? from the \d+(?:\.\d)? of spec\/score\.json; to see where: npx redocly score .* --operation-details; mend it, or write /,
    ),
  ])
})

test('a better score passes, with the advice to record it', async () => {
  const file = join(await createFolder(), 'score.json')
  const recorded = JSON.parse(await readFile(recordedScore, 'utf8'))
  await writeFile(file, JSON.stringify({ ...recorded, agentReadiness: 10 }))
  const notes: string[] = []
  expect(await scoreStep(undefined, file).run((note) => notes.push(note))).toEqual([])
  expect(notes).toContainEqual(
    expect.stringMatching(/^agentReadiness rose; write \d+(?:\.\d)? in /),
  )
})

test('a record that is none is told in a line', async () => {
  const file = join(await createFolder(), 'score.json')
  await writeFile(file, '<<<<<<< HEAD')
  expect(await scoreStep(undefined, file).run()).toEqual([
    expect.stringMatching(/score\.json must be JSON with the numbers agentReadiness, /),
  ])
})
