import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../../package.json' with { type: 'json' }
import { basePath } from '../../fixture-api/generated/operations.ts'
import { project } from '../../helpers/program.ts'
import { commitAll } from '../../helpers/project-clone.ts'
import { createProjectCopy, editSpec, runInCopy, tryInCopy } from '../../helpers/project-copy.ts'
import { changeLimit, remove } from '../../helpers/spec-edit.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { readVersion } from '../releases/guide.ts'

const copy = await createReleasedCopy()
beforeEach(() => runInCopy(copy, 'git checkout --quiet --force . && git clean --quiet --force -d'))

/** Creates a repository of the fixture project, whose description is the last release. */
async function createReleasedCopy(): Promise<string> {
  const copy = await createProjectCopy(undefined, afterAll)
  await copyFile(join(copy, 'spec/openapi.yaml'), join(copy, 'spec/released.yaml'))
  await commitAll(copy)
  await runInCopy(copy, `git tag v${await readVersion(copy)}`)
  return copy
}

/** Writes a recording of requests with GET. */
async function record(file: string, ...paths: readonly string[]): Promise<void> {
  const entries = paths.map((path) => {
    const url = `https://api.example${basePath}${path}`
    return { request: { method: 'GET', url, headers: [] } }
  })
  await writeFile(join(copy, file), JSON.stringify({ log: { entries } }))
}

test('the commands for the CI of a consumer fail for an edit that breaks its requests or its client, and for no other', async () => {
  const page = await readFile(join(project, 'docs/api-design.md'), 'utf8')
  const [, section = ''] = /^### In a consumer's CI\n(.*?)^##? /ms.exec(page) ?? []
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  const version = await readVersion(copy)
  const lines = blocks.map((block) => block.trim().replace(/\bv\d+\.\d+\.\d+\b/, `v${version}`))
  expect(lines).toHaveLength(2)
  const run = async () => {
    const statuses = []
    for (const line of lines) {
      statuses.push((await tryInCopy(copy, line)).status)
    }
    return statuses
  }
  await record('recorded.har', '/tools', '/tools?limit=50')
  expect(await run()).toEqual([0, 0])
  await editSpec(copy, changeLimit(20))
  expect(await run()).toEqual([0, 0])
  await editSpec(copy, changeLimit(-30))
  expect(await run()).toEqual([1, 1])
  // Its recording does not have what is gone.
  await record('recorded.har', '/tools', '/tools?limit=40')
  await editSpec(copy, remove('paths /tools/{toolId}/manual'))
  expect(await run()).toEqual([0, 1])
})

test('the comment on a pull request names the keys that are affected and the recorded requests that are rejected', async () => {
  const workflow = await readFile(join(project, '.github/workflows/contract.yml'), 'utf8')
  const { steps } = parse(workflow).jobs.compare
  const { run } = steps.find(({ id }: { id?: string }) => id === 'report')
  const folder = createTemporaryFolder()
  const file = (name: string) => join(folder, name)
  await writeFile(file('script.sh'), run)
  const variables = `BASE=HEAD RUNNER_TEMP=${folder} GITHUB_STEP_SUMMARY=${file('summary.md')} GITHUB_OUTPUT=${file('output')}`
  const comment = async () => {
    await writeFile(file('output'), '')
    await runInCopy(copy, `${variables} bash -e ${file('script.sh')}`)
    return readFile(file('output'), 'utf8')
  }
  await editSpec(copy, remove('paths /tools/{toolId}/manual'))
  expect(await comment()).not.toMatch(/called it|recorded request/)
  const today = new Date().toISOString().slice(0, 10)
  const operations = [{ operationId: 'getManual', days: [{ day: today, requests: 1204 }] }]
  const key = { id: 'key_a', name: 'shop', plan: 'pro', prefix: 'a', isValid: true, operations }
  const usage = {
    format: 1,
    api: packageJson.name,
    writtenAt: new Date().toISOString(),
    from: today,
    to: today,
    keys: [key],
  }
  await mkdir(join(copy, 'spec/consumers'), { recursive: true })
  await writeFile(join(copy, 'spec/consumers/usage.json'), JSON.stringify(usage))
  await record('spec/consumers/shop.har', '/tools', '/tools/1/manual')
  await record('spec/consumers/visitors.har', '/tools')
  const text = await comment()
  expect(text).toContain(`shop (key_a), plan pro, 1,204 requests, last on ${today}.`)
  expect(text).toContain('spec/consumers/shop.har: of 2 recorded requests, 1 is rejected')
  expect(text).toContain('| 2 | `getManual`, `GET /tools/{toolId}/manual` | 404: there is no ')
  expect(text).toContain('spec/consumers/visitors.har: of 1 recorded request, none is rejected')
})
