import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { LoopState } from '../../../scripts/dev/loop-state.ts'

/** `npm run dev` in a copy of the project, without npm. */
export interface DesignerLoop {
  /** Where the service and the designer's page are. */
  readonly origin: string
  /** The first key of its store. */
  readonly apiKey: string
  readonly process: number
  /** Everything that it wrote. */
  readonly printed: () => string
  /** The state as the designer's page gets it, as soon as it is what is looked for. */
  readonly until: (isWanted: (state: LoopState) => boolean) => Promise<LoopState>
  readonly send: (path: string, init?: RequestInit) => Promise<Response>
  /** Ends it, and gives its exit status. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

/** Starts the loop in a copy and waits for its first run; whoever starts it ends it. */
export async function startLoopIn(
  copy: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<DesignerLoop> {
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

  async function says(pattern: RegExp): Promise<string> {
    for (;;) {
      const [, found] = pattern.exec(output) ?? []
      if (found !== undefined) return found
      const more = new Promise<true>((resolve) => child.stdout.once('data', () => resolve(true)))
      if ((await Promise.race([more, ended])) !== true) throw new Error(`It ended: ${output}`)
    }
  }

  const origin = await says(/(http:\S+)\/studio/)
  const apiKey = await says(/(ask_\w{36})/)
  const loop: DesignerLoop = {
    origin,
    apiKey,
    process: child.pid ?? 0,
    printed: () => output,
    until: (isWanted) => readStates(`${origin}/studio/events`, isWanted),
    send: (path, init) =>
      fetch(origin + path, {
        ...init,
        headers: { Authorization: `Bearer ${apiKey}`, ...init?.headers },
      }),
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
  await loop.until(({ run, milliseconds }) => run > 0 && milliseconds['total'] !== undefined)
  return loop
}

/** Reads Server-Sent Events until one carries the state that is looked for. */
async function readStates(
  url: string,
  isWanted: (state: LoopState) => boolean,
): Promise<LoopState> {
  const { body } = await fetch(url)
  if (body === null) throw new Error(`${url} has no body`)
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data === undefined) continue
      const state: LoopState = JSON.parse(data)
      if (isWanted(state)) return state
    }
  }
  throw new Error(`${url} ended`)
}
