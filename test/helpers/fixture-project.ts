import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { withoutApiScripts } from '../../scripts/platform/api-scripts.ts'
import { ownerOf } from '../../scripts/platform/ownership.ts'
import { project } from './program.ts'

/** What the fixture project does not take of the platform's files: tests, and what is local. */
const skipped: ReadonlySet<string> = new Set([
  ...['test', 'vitest.config.ts'],
  ...['.git', 'node_modules', 'data', 'client/dist'],
])

/** The fixture API, whose handlers the API half of the fixture project calls. */
const fixtureApi = 'test/fixture-api'

/**
 * Creates the fixture project in a folder: a copy of the platform's files, with the fixture API as its API
 * half. The programs that the tests of the platform start run in it, or in a copy of it.
 */
export async function createFixtureProject(folder: string): Promise<void> {
  const isCopied = (source: string) => {
    const path = relative(project, source)
    return !skipped.has(path) && ownerOf(path) === 'platform'
  }
  await cp(project, folder, { recursive: true, filter: isCopied })
  await cp(join(project, 'test/fixture-project'), folder, { recursive: true })
  await cp(join(project, fixtureApi), join(folder, fixtureApi), { recursive: true })
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))

  await writeManifest(folder)
  await writeSpec(folder)
  await writeGenerated(folder)
  await writeReference(folder)
  await writeClient(folder)
}

/**
 * Writes `package.json` with the name and the key prefix of this project: a store belongs to a name, and
 * tests open one store with services of their own process and with programs of the fixture project.
 */
async function writeManifest(folder: string): Promise<void> {
  const manifest: { readonly scripts: Record<string, string> } = JSON.parse(
    await readFile(join(project, 'package.json'), 'utf8'),
  )
  // It runs a file of the tests, which are not copied.
  const { 'keep-store': _, ...scripts } = withoutApiScripts(manifest.scripts)
  const written = { ...manifest, scripts }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(written, undefined, 2)}\n`)
  await cp(join(project, 'package-lock.json'), join(folder, 'package-lock.json'))
}

/** Writes the description of the fixture API beside the file of the platform that it refers to. */
async function writeSpec(folder: string): Promise<void> {
  const text = await readFile(join(project, fixtureApi, 'openapi.yaml'), 'utf8')
  await mkdir(join(folder, 'spec'), { recursive: true })
  await writeFile(join(folder, 'spec/openapi.yaml'), text.replaceAll('../../spec/', ''))
}

/** Writes `generated/` as `npm run generate` does: the files name the description that they come from. */
async function writeGenerated(folder: string): Promise<void> {
  const source = join(project, fixtureApi, 'generated')
  await mkdir(join(folder, 'generated'), { recursive: true })
  for (const name of await readdir(source)) {
    const text = await readFile(join(source, name), 'utf8')
    const named = text
      .replace('Generated from openapi.yaml', 'Generated from spec/openapi.yaml')
      .replaceAll("'../../../client/", "'../client/")
    await writeFile(join(folder, 'generated', name), named)
  }
}

/** Writes the compressed script of the reference page, which takes a while to build, if this project has it. */
async function writeReference(folder: string): Promise<void> {
  for (const name of ['scalar.js.br', 'scalar.js.gz']) {
    const built = join(project, 'generated/reference', name)
    if (existsSync(built)) {
      await cp(built, join(folder, 'generated/reference', name))
    }
  }
}

/** Writes `client/index.ts`: the client of the fixture API, with the paths that it has in a project. */
async function writeClient(folder: string): Promise<void> {
  const text = await readFile(join(project, fixtureApi, 'client.ts'), 'utf8')
  const moved = text
    .replaceAll("'./generated/", "'../generated/")
    .replaceAll("'../../client/", "'./")
  await writeFile(join(folder, 'client/index.ts'), moved)
}
