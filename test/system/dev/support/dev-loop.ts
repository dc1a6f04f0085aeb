import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, type TestContext, vi } from 'vitest'
import { parse } from 'yaml'
import { basePath } from '../../../../generated/operations.ts'
import { visit } from '../../../helpers/browser/visit.ts'
import { findFreePort } from '../../../helpers/free-port.ts'
import { startProgram } from '../../../helpers/program.ts'
import { createSharedCopy, editSpec, removeCopy } from '../../../helpers/project-copy.ts'
import type { Edit } from '../../../helpers/spec-edit.ts'

// A busy machine may need minutes for what takes a second on an idle one.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 })

export const handlers = 'server/pets/handlers.ts'
export const spec = 'spec/openapi.yaml'
/** The last line of the block that is printed for a save. */
export const end = / {2}\d+\.\d\d s: .*\n/

/** `npm run dev` in a copy of the project, without npm. */
export type DevLoop = Awaited<ReturnType<typeof startLoopIn>>

/** Starts the loop in a copy with a store in memory, and waits for its first block. */
async function startLoopIn(copy: string) {
  // With port 0, a service that has ended would start again on another port.
  const env = { PORT: `${await findFreePort()}`, DATABASE_URL: 'sqlite::memory:' }
  const program = startProgram(`${copy}/scripts/dev.ts`, [], { cwd: copy, env, isShared: true })
  const { outputSoFar, waitForOutput, kill } = program
  const [, origin = ''] = await waitForOutput(/^Service: (\S+)$/m)
  const [, page = ''] = await waitForOutput(/^Studio page: (\S+)$/m)
  await waitForOutput(/ {2}started[\s\S]* s: .*\n/)
  /** Sends a request to a path of the API, with the first API key of the store. */
  const send = async (target: string, init?: RequestInit) => {
    const [apiKey] = await waitForOutput(/ask_\w{36}/)
    const headers = { Authorization: `Bearer ${apiKey}`, ...init?.headers }
    return fetch(origin + basePath + target, { ...init, headers })
  }
  const status = async (target: string) => (await send(target)).status
  return { origin, page, outputSoFar, waitForOutput, kill, send, status }
}

/**
 * A copy of the project with a loop in it that the tests of a file share; before each test the
 * project is as it was. The spec before any edit is the one of the last release.
 */
export function shareLoop() {
  const originals = new Map<string, string>()
  let copy = ''
  let original = ''
  let running: DevLoop
  const loop = () => running
  async function keep(file: string): Promise<string> {
    const text = await readFile(join(copy, file), 'utf8')
    if (!originals.has(file)) originals.set(file, text)
    return text
  }
  /** Changes the text of a file. */
  async function change(file: string, edit: (text: string) => string): Promise<void> {
    await writeFile(join(copy, file), edit(await keep(file)))
  }
  /** Changes the spec; returns its new text. */
  async function changeSpec(...edits: readonly Edit[]): Promise<string> {
    await keep(spec)
    return editSpec(copy, (description) => {
      for (const edit of edits) edit(description)
    })
  }
  /** Saves, and returns what was printed since, once it matches a pattern. */
  async function blockAfter(save: () => Promise<unknown>, pattern = end): Promise<string> {
    const from = loop().outputSoFar().length
    await save()
    await loop().waitForOutput(pattern, from)
    return loop().outputSoFar().slice(from)
  }
  /** Undoes every change. */
  async function restore(): Promise<void> {
    if (originals.size === 0) return
    const undo = async () => {
      for (const [file, text] of originals) await writeFile(join(copy, file), text)
    }
    await blockAfter(undo, / {2}ok {2}.* s: /)
    originals.clear()
  }
  /** Opens the studio page, once it shows a verdict. */
  async function openStudio(context: TestContext, verdict = 'Healthy') {
    const visited = await visit(context)
    await visited.page.goto(loop().page)
    await visited.page.locator('#state').getByText(verdict, { exact: true }).waitFor()
    const items = (list: string) => visited.page.locator(`#${list} > li`)
    return { ...visited, items }
  }

  beforeAll(async () => {
    copy = await createSharedCopy()
    original = await readFile(join(copy, spec), 'utf8')
    await writeFile(join(copy, 'spec/released.yaml'), original)
    running = await startLoopIn(copy)
  })
  afterAll(async () => {
    await running.kill('SIGTERM')
    await removeCopy(copy)
  })
  beforeEach(restore)
  return {
    copy: () => copy,
    loop,
    released: () => parse(original),
    /** Returns the highest `limit` of a page in the spec before any edit. */
    highest: () => Number(parse(original).components.parameters.Limit.schema.maximum),
    change,
    changeSpec,
    blockAfter,
    restore,
    openStudio,
  }
}

/** Adds `GET /copy1/pets`, a copy of `GET /pets` without a handler. */
export const addUnhandled: Edit = (description) => {
  const { get } = structuredClone(description.toJS().paths['/pets'])
  description.setIn(['paths', '/copy1/pets'], { get: { ...get, operationId: 'listPets1' } })
}
