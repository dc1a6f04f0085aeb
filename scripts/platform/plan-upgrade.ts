import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '../../server/description/json.ts'
import { toObject } from '../../server/description/json.ts'
import { runGit, tryGit } from '../pipeline/git.ts'
import { changesPage, findNewVersions, type PlatformVersion } from './changes.ts'
import type { Marker } from './marker.ts'
import { mergeManifest } from './merge-manifest.ts'
import { adviseOnImports, findMovedFiles } from './moved-files.ts'
import { type Ownership, ownerOf } from './ownership.ts'
import { listTree, mergeTrees, type TreeEntry, writeTree } from './trees.ts'

/** What an upgrade will change, worked out before anything is changed. */
export interface UpgradePlan {
  /** The tree of the project with the platform's changes merged into it. */
  readonly tree: string
  /** The three versions of each file with a conflict, in the form of `git update-index --index-info`. */
  readonly unmerged: readonly string[]
  /** Paths of files with conflicts, and keys of `package.json` that both sides changed. */
  readonly conflicts: readonly string[]
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
  // A file that the next version leaves to the API is the project's from now on.
  const lists: Ownership = JSON.parse(await readText(to, 'platform.json'))
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
    )
    const entries = [
      ...(await listTree(merged.tree, isPlatform)),
      ...(await listTree('HEAD', isOther)),
      await writeManifest({ ...manifest.manifest, platform: marker }),
    ]
    const changed = await listChanges(ours, merged.tree)
    const changedByProject = new Set(await listChanges(base, ours))
    const unmergedPaths = new Set(merged.conflicts.map((line) => line.split('\t')[1] ?? ''))
    const mergedFiles = changed.filter(
      (path) => changedByProject.has(path) && !unmergedPaths.has(path),
    )
    return {
      tree: await writeTree(entries, folder),
      unmerged: merged.conflicts,
      conflicts: [...unmergedPaths, ...manifest.conflicts.map((key) => `${manifestPath}: ${key}`)],
      changedFiles: changed.length,
      mergedFiles,
      versions: findNewVersions(await readText(from, changesPage), await readText(to, changesPage)),
      advice: [...(await adviseOnNewFiles(from, to)), ...(await adviseOnMoves(base, theirs))],
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns a line for each file that an API has in the next version only, and this project has not. */
async function adviseOnNewFiles(from: string, to: string): Promise<readonly string[]> {
  const isTemplate = (path: string) => path.startsWith(templatesPath)
  const known = new Set([
    ...(await listTree(from, isTemplate)).map(({ path }) => toTarget(path)),
    ...(await listTree('HEAD', () => true)).map(({ path }) => path),
  ])
  const templates = await listTree(to, isTemplate)
  const added = templates.filter(({ path }) => !known.has(toTarget(path)))
  return added.map(({ path }) => `${toTarget(path)} is new in every project; begin with ${path}`)
}

/** Returns the path of the file that `npm run init` makes of a template. */
function toTarget(template: string): string {
  return template.slice(templatesPath.length, -templateEnding.length)
}

/** Returns a line for each import of the API's files that leads to a renamed or deleted file. */
async function adviseOnMoves(base: string, theirs: string): Promise<readonly string[]> {
  const moved = await findMovedFiles(base, theirs)
  if (moved.size === 0) return []

  const isSource = (path: string) => ownerOf(path) === 'api' && path.endsWith('.ts')
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

async function writeManifest(manifest: JsonObject): Promise<TreeEntry> {
  const input = `${JSON.stringify(manifest, undefined, 2)}\n`
  const object = await runGit(['hash-object', '-w', '--stdin'], { input })
  return { mode: '100644', object, path: manifestPath }
}
