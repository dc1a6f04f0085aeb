import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'
import { parse } from 'yaml'
import { basePath } from '../../../../generated/operations.ts'
import { findFreePort } from '../../../helpers/free-port.ts'
import { createSharedCopy, editSpec, removeCopy } from '../../drift/support/project-copy.ts'
import type { Edit } from '../../pipeline/support/spec-edit.ts'

// A busy machine may need minutes for what takes a second on an idle one.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 })

/** `npm run dev` in a copy of the project, without npm. */
export interface DevLoop {
  readonly origin: string
  /** The first API key of its store. */
  readonly apiKey: string
  /** Everything that it printed. */
  readonly printed: () => string
  /** Waits until what was printed, from an index on, matches a pattern. */
  readonly prints: (pattern: RegExp, from?: number) => Promise<string>
  /** Sends a request to a path of the API, with the API key. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>
  /** Sends a signal; returns the exit status. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

/** Starts the loop in a copy and waits for its first block. */
export async function startLoopIn(
  copy: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<DevLoop> {
  const path = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
  const child = spawn(process.execPath, [join(copy, 'scripts/dev.ts')], {
    cwd: copy,
    env: { ...path, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))

  async function prints(pattern: RegExp, from = 0): Promise<string> {
    for (;;) {
      const [found] = pattern.exec(output.slice(from)) ?? []
      if (found !== undefined) return found
      const more = new Promise<true>((resolve) => child.stdout.once('data', () => resolve(true)))
      if ((await Promise.race([more, ended])) !== true) throw new Error(`It ended: ${output}`)
    }
  }

  const origin = (await prints(/http:\S+(?=\/studio)/)) ?? ''
  const apiKey = environment['API_KEY'] ?? (await prints(/ask_\w{36}/))
  await prints(/ {2}started[\s\S]* s: lint .*\n/)
  return {
    ...{ origin, apiKey, prints },
    printed: () => output,
    send: (target, init) =>
      fetch(origin + basePath + target, {
        ...init,
        headers: { Authorization: `Bearer ${apiKey}`, ...init?.headers },
      }),
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** A copy of the project with a loop in it that all tests of a file share. */
export interface SharedLoop {
  readonly copy: () => string
  readonly loop: () => DevLoop
  /** The spec before any edit; it is what was released, too. */
  readonly original: () => string
  /** Changes the text of a file; before the next test it is as it was. */
  readonly change: (file: string, edit: (text: string) => string) => Promise<void>
  /** Changes the spec likewise; returns its new text. */
  readonly changeSpec: (...edits: readonly Edit[]) => Promise<string>
  /** Saves, and returns what was printed since, once it matches a pattern. */
  readonly blockAfter: (save: () => Promise<unknown>, pattern: RegExp) => Promise<string>
  /** Stops the loop, and starts it again with the same port and store. */
  readonly restart: () => Promise<void>
  /** Undoes every change. */
  readonly restore: () => Promise<void>
}

/** Shares a loop among the tests of a file; before each test the project is as it was. */
export function shareLoop(): SharedLoop {
  const spec = 'spec/openapi.yaml'
  const originals = new Map<string, string>()
  let copy = ''
  let original = ''
  let loop: DevLoop | undefined
  const running = (): DevLoop => {
    if (loop === undefined) throw new Error('the loop has not started')
    return loop
  }
  async function keep(file: string): Promise<string> {
    const text = await readFile(join(copy, file), 'utf8')
    if (!originals.has(file)) originals.set(file, text)
    return text
  }
  const shared: SharedLoop = {
    copy: () => copy,
    loop: running,
    original: () => original,
    async change(file, edit) {
      await writeFile(join(copy, file), edit(await keep(file)))
    },
    async changeSpec(...edits) {
      await keep(spec)
      return editSpec(copy, (description) => {
        for (const edit of edits) edit(description)
      })
    },
    async blockAfter(save, pattern) {
      const from = running().printed().length
      await save()
      await running().prints(pattern, from)
      return running().printed().slice(from)
    },
    async restart() {
      const { origin, apiKey, end } = running()
      await end('SIGTERM')
      loop = await startLoopIn(copy, { PORT: new URL(origin).port, API_KEY: apiKey })
    },
    async restore() {
      if (originals.size === 0) return
      await shared.blockAfter(async () => {
        for (const [file, text] of originals) await writeFile(join(copy, file), text)
      }, / {2}ok {2}.* s: /)
      originals.clear()
    },
  }

  beforeAll(async () => {
    copy = await createSharedCopy()
    original = await readFile(join(copy, spec), 'utf8')
    await writeFile(join(copy, 'spec/released.yaml'), original)
    loop = await startLoopIn(copy, { PORT: `${await findFreePort()}` })
  })
  afterAll(async () => {
    await loop?.end('SIGTERM')
    await removeCopy(copy)
  })
  beforeEach(() => shared.restore())
  return shared
}

const maximum = 'components parameters Limit schema maximum'

/** Changes the highest `limit` of a page by some number. */
export function changeLimit(by: number): Edit {
  return (description) => {
    description.setIn(maximum.split(' '), Number(description.getIn(maximum.split(' '))) + by)
  }
}

/** Returns the highest `limit` of a page in a spec. */
export function limitIn(text: string): number {
  return parse(text).components.parameters.Limit.schema.maximum
}

/** Adds `GET /copy1/pets`, a copy of `GET /pets` without a handler. */
export const addUnhandled: Edit = (description) => {
  const { get } = structuredClone(description.toJS().paths['/pets'])
  description.setIn(['paths', '/copy1/pets'], { get: { ...get, operationId: 'listPets1' } })
}
