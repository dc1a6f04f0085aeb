import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { addPart, createProjectCopy } from '../../helpers/project-copy.ts'
import { follow } from './support/follow.ts'
import { type GuideStep, readGuide } from './support/guide.ts'

const page = readFileSync(new URL('../../../docs/add-an-operation.md', import.meta.url), 'utf8')
const check: GuideStep = { kind: 'command', line: 'npm run -s check', fails: false, prints: [] }
const steps = readGuide(page)
  .filter((step) => step.kind === 'snippets' || !step.fails)
  // A release needs a repository; `npm run check` has its checks.
  .map((step) => (step.kind === 'command' && step.line.includes('release') ? check : step))
const edits = steps.flatMap((step) =>
  step.kind === 'snippets' ? [{ step, file: step.snippets[0]?.file ?? '' }] : [],
)

test.for([{ step: undefined, file: 'any file' }, ...edits])(
  'the guide succeeds, unless its edit of $file is skipped',
  {
    timeout: 600_000,
  },
  async ({ step: skipped }) => {
    const copy = await createProjectCopy()
    const parts = ['test', 'bench', 'vitest.config.ts', 'LICENSE']
    await Promise.all(parts.map((part) => addPart(copy, part)))
    const others = steps.filter((step) => step !== skipped)
    if (skipped === undefined) await follow(copy, others)
    else await expect(follow(copy, others)).rejects.toThrow()
  },
)
