import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, toObject } from '../../server/description/json.ts'
import { UsageError } from '../../server/process/options.ts'
import { runGit, tryGit } from '../pipeline/git.ts'
import { changesPage, findNewVersions, type PlatformVersion } from './changes.ts'
import type { Marker } from './marker.ts'
import { type KeyConflict, mergeManifest } from './merge-manifest.ts'
import { adviseOnImports, findMovedFiles, type MovedFiles } from './moved-files.ts'
import { type Ownership, ownerOf } from './ownership.ts'
import { listPlatformPackages } from './packages.ts'
import { listTree, mergeTrees, type TreeEntry, writeTree } from './trees.ts'

/** What an upgrade will change, worked out before anything is changed. */
export interface UpgradePlan {
  /** The tree of the project with the platform's changes merged into it. */
  readonly tree: string
  /** The three versions of each file with a conflict, in the form of `git update-index --index-info`. */
  readonly unmerged: readonly string[]
  /** A line for each file with a conflict. */
  readonly conflicts: readonly string[]
  /** Keys of `package.json` that both sides changed, and that keep the project's value. */
  readonly keyConflicts: readonly KeyConflict[]
  /** How many files of the platform change. */
  readonly changedFiles: number
  /** Files that the project had changed, too, and that hold both changes now. */
  readonly mergedFiles: readonly string[]
  /** What is new, the newest version first. */
  readonly versions: readonly PlatformVersion[]
  /** Lines for people: what the API's files have to follow. */
  readonly advice: readonly string[]
}

const manifestPath = 'package.json'
const templatesPath = 'scripts/init/templates/'
const templateEnding = '.template'

/** Merges the changes of the platform's files between two of its commits into HEAD; changes nothing yet. */
export async function planUpgrade(from: string, to: string, marker: Marker): Promise<UpgradePlan> {
  const lists = await readOwnership(to)
  const isPlatform = (path: string) => ownerOf(path, lists) === 'platform'
  const isOther = (path: string) => !isPlatform(path) && path !== manifestPath

  const folder = await mkdtemp(join(tmpdir(), 'upgrade-'))
  try {
    const base = await writeTree(await listTree(from, isPlatform), folder)
    const ours = await writeTree(await listTree('HEAD', isPlatform), folder)
    const theirs = await writeTree(await listTree(to, isPlatform), folder)
    const merged = await mergeTrees(base, ours, theirs)

    const manifest = mergeManifest(
      await readManifest(from),
      await readManifest('HEAD'),
      await readManifest(to),
      await listPlatformPackages(to, isPlatform),
    )
    const entries = [
      ...(await listTree(merged.tree, isPlatform)),
      ...(await listTree('HEAD', isOther)),
      await writeManifest({ ...manifest.manifest, platform: marker }),
    ]
    const moved = await findMovedFiles(base, theirs)
    const changed = await listChanges(ours, merged.tree)
    const conflicts = readConflicts(merged.conflicts)
    const changedByProject = await listChanges(base, ours)
    const newPaths = new Set(changedByProject.map((path) => moved.get(path) ?? path))
    return {
      tree: await writeTree(entries, folder),
      unmerged: merged.conflicts,
      conflicts: Array.from(conflicts, ([path, stages]) => `${path}: ${kindOf(stages)}`),
      keyConflicts: manifest.conflicts,
      changedFiles: changed.length,
      mergedFiles: changed.filter((path) => newPaths.has(path) && !conflicts.has(path)),
      versions: findNewVersions(await readText(from, changesPage), await readText(to, changesPage)),
      advice: [...(await adviseOnNewFiles(from, to)), ...(await adviseOnMoves(base, moved))],
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns the paths of files with conflicts, each with the numbers of the versions that there are. */
function readConflicts(unmerged: readonly string[]): ReadonlyMap<string, string> {
  const conflicts = new Map<string, string>()
  for (const line of unmerged) {
    const [facts = '', path = ''] = line.split('\t')
    const stage = facts.slice(-1)
    conflicts.set(path, (conflicts.get(path) ?? '') + stage)
  }
  return conflicts
}

/** Returns what a conflict is, by its versions: 1 is the one before, 2 the project's, 3 the platform's. */
function kindOf(stages: string): string {
  if (stages === '12') {
    return 'this project has changed it, the platform has removed it'
  }
  if (stages === '13') {
    return 'this project has removed it, the platform has changed it'
  }
  if (stages === '23') {
    return 'this project and the platform have added it'
  }
  return 'both sides changed the same lines'
}

/**
 * Reads the lists of the next version: a file that it leaves to the API is the project's from now on. Throws
 * for a commit that is older than the lists.
 */
async function readOwnership(commit: string): Promise<Ownership> {
  const text = await readText(commit, 'platform.json')
  if (text !== '') {
    return JSON.parse(text)
  }

  throw new UsageError(
    `${commit} is no commit of the platform that can be merged: it has no platform.json`,
  )
}

/** Returns a line for each file that an API has in the next version only, and this project has not. */
async function adviseOnNewFiles(from: string, to: string): Promise<readonly string[]> {
  const isTemplate = (path: string) => path.startsWith(templatesPath)
  const existing = new Set([
    ...(await listTree(from, isTemplate)).map(({ path }) => toTarget(path)),
    ...(await listTree('HEAD', () => true)).map(({ path }) => path),
  ])
  const templates = await listTree(to, isTemplate)
  const added = templates.filter(({ path }) => !existing.has(toTarget(path)))
  return added.map(({ path }) => `${toTarget(path)} is new in every project; begin with ${path}`)
}

/** Returns the path of the file that `npm run init` makes of a template. */
function toTarget(template: string): string {
  return template.slice(templatesPath.length, -templateEnding.length)
}

/** Returns a line for each import of the project's own files that leads to a renamed or deleted file. */
async function adviseOnMoves(base: string, moved: MovedFiles): Promise<readonly string[]> {
  if (moved.size === 0) {
    return []
  }

  const ofPlatform = new Set((await listTree(base, () => true)).map(({ path }) => path))
  const isSource = (path: string) => !ofPlatform.has(path) && path.endsWith('.ts')
  const sources = await listTree('HEAD', isSource)
  const advice = sources.map(async ({ path }) =>
    adviseOnImports(path, await readText('HEAD', path), moved),
  )
  return (await Promise.all(advice)).flat()
}

/** Returns the paths of the files that differ between two trees. */
async function listChanges(one: string, other: string): Promise<readonly string[]> {
  const listed = await runGit(['diff-tree', '-r', '-z', '--no-renames', '--name-only', one, other])
  return listed.split('\0').filter((path) => path !== '')
}

/** Returns the `package.json` of a commit. */
export async function readManifest(commit: string): Promise<JsonObject> {
  return toObject(JSON.parse(await readText(commit, manifestPath)))
}

/** Returns the text of a file in a commit; an empty one where there is no such file. */
async function readText(commit: string, path: string): Promise<string> {
  const { status, output } = await tryGit(['show', `${commit}:${path}`])
  return status === 0 ? output : ''
}

/** Writes a `package.json` to the repository of git, with the indentation and the end of the one in HEAD. */
async function writeManifest(manifest: JsonObject): Promise<TreeEntry> {
  const before = await readText('HEAD', manifestPath)
  const indentation = /^[ \t]+/m.exec(before)?.[0]
  const end = before.endsWith('\n') ? '\n' : ''
  const input = JSON.stringify(manifest, undefined, indentation) + end
  const object = await runGit(['hash-object', '-w', '--stdin'], { input })
  return { mode: '100644', object, path: manifestPath }
}
