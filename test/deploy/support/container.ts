import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Image } from './image.ts'

/** A program in the image, as its user, with nothing in its environment but what the image sets. */
export interface InImage {
  readonly kill: (signal: NodeJS.Signals) => void
  readonly ended: Promise<{ readonly status: number | null; readonly output: string }>
}

/** Ports that are free on this machine; those of the image may not be. */
export interface Ports {
  readonly PORT: string
  readonly OPS_PORT: string
}

/** Runs a program that the image has; `node` is the Node.js that runs the tests. */
export function runInImage(image: Image, command: readonly string[], ports: Ports): InImage {
  const [node = ''] = image.command
  const [program = '', ...args] = command
  const child = spawn(program === 'node' ? node : program, args, {
    cwd: image.workFolder,
    env: { ...image.environment, ...ports },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...image.user,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const status = new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  )
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const ended = Promise.all([status, said]).then(([code, parts]) => ({
    status: code,
    output: parts.join(''),
  }))
  return { kill: (signal) => void child.kill(signal), ended }
}
