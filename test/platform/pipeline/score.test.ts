import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { scoreStep } from '../../../scripts/checks/score-step.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { fixtureSpec, writeChangedSpec } from './support/workspace.ts'

vi.setConfig({ testTimeout: 300_000 })

const none = { agentReadiness: 0, documentationQuality: 0, exampleCoverage: 0, errorClarity: 0 }

async function record(text: string): Promise<string> {
  const file = join(createTemporaryFolder(), 'score.json')
  await writeFile(file, text)
  return file
}

test('a score is printed, and one that is lower than recorded fails', async () => {
  const notes: string[] = []
  const higher = await record(JSON.stringify(none))
  expect(await scoreStep(fixtureSpec, higher).run((note) => notes.push(note))).toEqual([])
  const [figures = ''] = notes

  const score = Object.fromEntries(
    figures
      .split(', ')
      .map((figure) => figure.split(' '))
      .map(([name, value]) => [name, Number(value)]),
  )
  const recorded = await record(JSON.stringify(score))
  const same: string[] = []
  expect(await scoreStep(fixtureSpec, recorded).run((note) => same.push(note))).toEqual([])
  expect(same).toEqual([figures])

  const spec = await writeChangedSpec('description: Maximum number of tools to return.', '')
  expect(await scoreStep(spec, recorded).run()).toEqual([
    expect.stringMatching(
      /^documentationQuality fell to \d+(?:\.\d)? from the \d+(?:\.\d)? of \S+score\.json; to see where: npx redocly score .* --operation-details; fix it, or write /,
    ),
  ])
})

test('a record that is not JSON is reported in a line', async () => {
  expect(await scoreStep(fixtureSpec, await record('<<<<<<< HEAD')).run()).toEqual([
    expect.stringMatching(/score\.json must be JSON with numbers$/),
  ])
})
