import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const running = new Set<ChildProcess>()
const folders = new Set<string>()

/** Starts a process, to be ended with this one. */
export function start(words: readonly string[], options: SpawnOptions): ChildProcess {
  const [command = '', ...args] = words
  const child = spawn(command, args, options)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Ends a process that was started here. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

/** Makes a folder, to be removed with this process. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'))
  folders.add(folder)
  return folder
}

/** Removes such a folder before that. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  folders.delete(folder)
}

/** Has this process leave nothing behind, however it ends. */
export function leaveNothing(): void {
  process.on('exit', () => {
    for (const child of running) child.kill()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(1))
  }
}
