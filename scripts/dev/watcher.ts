import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { compareLooks, type FileChanges, isChange, type Look, lookAt } from './file-changes.ts'

/** Tells of saved files. */
export interface Watcher {
  /** Waits for changes, and gives all that have come since the last ones. */
  readonly next: () => Promise<FileChanges>
  readonly stop: () => void
}

/** Milliseconds for which nothing may happen before a save is taken for finished. */
const calm = 12
/** Milliseconds after which files are looked at although nobody told of a change. */
const patience = 1_000

/**
 * Watches every file at or below some paths. Events only say when to look: what changed is found by
 * comparing contents, so it makes no difference how an editor saves, and no save is lost.
 */
export async function createWatcher(paths: readonly string[]): Promise<Watcher> {
  const watchers = new Map<string, FSWatcher>()
  let look: Look = await lookAt(paths, new Map())
  let isStopped = false
  let wake = Promise.withResolvers<void>()

  async function watchFolders(): Promise<void> {
    for (const folder of (await Promise.all(paths.map(listFolders))).flat()) {
      if (watchers.has(folder) || isStopped) continue
      // A folder is watched, not a file: a file that is renamed over another one is a new one.
      const watcher = watch(folder, () => wake.resolve())
      const forget = () => {
        watcher.close()
        watchers.delete(folder)
      }
      watchers.set(folder, watcher.on('error', forget))
    }
  }

  async function untilCalm(): Promise<void> {
    const timer = setTimeout(() => wake.resolve(), patience)
    await wake.promise
    clearTimeout(timer)
    for (let isCalm = false; !isCalm && !isStopped; ) {
      wake = Promise.withResolvers()
      const quiet = new Promise<boolean>((resolve) => setTimeout(() => resolve(true), calm))
      isCalm = await Promise.race([quiet, wake.promise.then(() => false)])
    }
  }

  await watchFolders()
  return {
    async next() {
      for (;;) {
        await untilCalm()
        await watchFolders()
        const now = await lookAt(paths, look)
        const changes = compareLooks(look, now)
        look = now
        if (isChange(changes) || isStopped) return changes
      }
    },
    stop() {
      isStopped = true
      for (const watcher of watchers.values()) watcher.close()
      wake.resolve()
    },
  }
}

async function listFolders(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true, recursive: true })
    const folders = entries.filter((entry) => entry.isDirectory())
    return [path, ...folders.map((entry) => join(entry.parentPath, entry.name))]
  } catch {
    // It is a file: the folder that it is in is told of it.
    return [join(path, '..')]
  }
}
