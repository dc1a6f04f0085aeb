import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, type TestContext } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { apiKeyMarker } from '../../../../server/process/names.ts'
import { fixtureApi } from '../../../fixture-api/fixture-api.ts'
import { visit } from '../../../helpers/browser/visit.ts'
import { findFreePort } from '../../../helpers/free-port.ts'
import { startProgram } from '../../../helpers/program.ts'
import { createProjectCopy, editSpec } from '../../../helpers/project-copy.ts'
import { type Edit, findParameter } from '../../../helpers/spec-edit.ts'
import { readBase } from '../../pipeline/support/workspace.ts'

export const handlers = 'server/api/handlers.ts'
export const spec = 'spec/openapi.yaml'

/**
 * Starts `npm run dev`, without npm, in a copy of the fixture project with a store in memory, for all
 * tests of a file. Before each test the copy is as it was; its spec is then the one of the last release.
 */
export async function shareLoop() {
  const copy = await createProjectCopy(undefined, afterAll)
  const original = await readBase()
  for (const name of [spec, 'spec/released.yaml']) {
    await writeFile(join(copy, name), original)
  }
  // With port 0, a service that has ended would start again on another port.
  const env = { PORT: `${await findFreePort()}`, DATABASE_URL: 'sqlite::memory:' }
  const program = startProgram('scripts/dev.ts', [], { project: copy, env, isShared: true })
  afterAll(() => program.kill('SIGTERM'))
  const { outputSoFar, waitForOutput, kill } = program
  const [, origin = ''] = await waitForOutput(/^Service: (\S+)$/m)
  const [, studio = ''] = await waitForOutput(/^Studio page: (\S+)$/m)
  await waitForOutput(/ {2}started[\s\S]* s: .*\n/)

  /** Sends a request to a path of the API, with the first API key of the store. */
  async function send(target: string, init?: RequestInit) {
    const [apiKey] = await waitForOutput(new RegExp(`${apiKeyMarker}\\w{36}`))
    const headers = { Authorization: `Bearer ${apiKey}`, ...init?.headers }
    return fetch(origin + fixtureApi.basePath + target, { ...init, headers })
  }
  const status = async (target: string) => (await send(target)).status

  const originals = new Map<string, string>()
  async function keep(file: string): Promise<string> {
    const text = await readFile(join(copy, file), 'utf8')
    if (!originals.has(file)) {
      originals.set(file, text)
    }
    return text
  }
  /** Changes the text of a file. */
  async function change(file: string, edit: (text: string) => string): Promise<void> {
    await writeFile(join(copy, file), edit(await keep(file)))
  }
  /** Changes the spec; returns its new text. */
  async function changeSpec(...edits: readonly Edit[]): Promise<string> {
    await keep(spec)
    return editSpec(copy, ...edits)
  }
  /** Saves, and returns the block that is printed for it, once it matches a pattern. */
  async function blockAfter(save: () => Promise<unknown>, end = / {2}\d+\.\d\d s: .*\n/) {
    const from = outputSoFar().length
    await save()
    await waitForOutput(end, from)
    return outputSoFar().slice(from)
  }
  /** Undoes every change. */
  async function restore(): Promise<void> {
    if (originals.size === 0) {
      return
    }
    const undo = async () => {
      for (const [file, text] of originals) {
        await writeFile(join(copy, file), text)
      }
    }
    await blockAfter(undo, / {2}ok {2}.* s: /)
    originals.clear()
  }
  beforeEach(restore)
  /** Opens the studio page, once its verdict matches a pattern. */
  async function openStudio(context: TestContext, verdict = /^Nothing changed /) {
    const visited = await visit(context)
    await visited.page.goto(studio)
    const heading = visited.page.getByRole('heading', { level: 1, name: verdict })
    await heading.waitFor()
    const items = (list: string) => visited.page.locator(`#${list} > li`)
    const isShown = (list: string) => visited.page.locator(`#${list}-section`).isVisible()
    return { ...visited, items, isShown }
  }

  const released = parse(original)
  const description = parseDocument(original)
  return {
    ...{ copy, origin, studio, outputSoFar, kill, send, status },
    ...{ change, changeSpec, blockAfter, restore, openStudio, released, description },
    /** The highest `limit` of a page in the spec before any edit. */
    highest: Number(
      description.getIn([...findParameter(description, 'limit').split(' '), 'schema', 'maximum']),
    ),
  }
}
