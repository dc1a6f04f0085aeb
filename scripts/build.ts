import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { checkPackage, Package } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { build, type InlineConfig } from 'tsdown'
import { DescriptionError, runPlainCommand } from './pipeline/failure.ts'
import { runProgram } from './pipeline/programs.ts'
import { projectPath, shortPath } from './pipeline/project.ts'

/** `client/package.json`, whose exports name the sources. */
interface Manifest {
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly private?: boolean
}

/** A module that the package exports. */
interface Entry {
  /** The path in the exports, such as `./testing`. */
  readonly path: string
  /** The file that it is built from. */
  readonly source: string
  /** The name of the files that are built, without an extension. */
  readonly name: string
}

const client = projectPath('client')

await runPlainCommand('npm run build', async () => {
  const folder = join(client, 'dist')
  await buildPackage(folder)
  console.log(`built ${shortPath(folder)}`)
})

/** Builds the client's package in a folder. */
async function buildPackage(folder: string): Promise<void> {
  const errors = await runProgram('typescript7/bin/tsc', ['-p', client, '--noEmit'])
  if (errors.length > 0) {
    throw new DescriptionError(errors)
  }

  const manifest: Manifest = JSON.parse(await readFile(join(client, 'package.json'), 'utf8'))
  const entries = listEntries(manifest)
  const allowed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  await runBuild(folder, entries, allowed, {
    format: 'esm',
    copy: ['README.md', projectPath('LICENSE')],
  })
  const commonJs = entries.filter(hasCommonJs)
  await runBuild(folder, commonJs, allowed, { format: 'cjs', clean: false })
  await removeSourceMapLinks(folder)
  await writeManifest(folder, manifest, entries)

  // tsdown would check client/package.json, whose exports name the sources.
  const problems = [...(await runPublint(folder)), ...(await runAttw(folder))]
  if (problems.length > 0) {
    throw new DescriptionError(problems)
  }
}

/** Returns the modules that a manifest exports. */
function listEntries({ exports }: Manifest): readonly Entry[] {
  return Object.entries(exports).map(([path, source]) => {
    const name = path === '.' ? 'index' : path.replace('./', '')
    return { path, source, name }
  })
}

/** Removes from the types the link to a source map, which tsdown does not write. */
async function removeSourceMapLinks(folder: string): Promise<void> {
  const names = await readdir(folder)
  for (const name of names.filter((name) => /\.d\.c?ts$/.test(name))) {
    const types = await readFile(join(folder, name), 'utf8')
    await writeFile(join(folder, name), types.replace(/^\/\/# sourceMappingURL=.*/m, ''))
  }
}

/** Writes the manifest that is published: its exports are what was built. */
async function writeManifest(
  folder: string,
  manifest: Manifest,
  entries: readonly Entry[],
): Promise<void> {
  const { private: _, ...published } = manifest
  const conditions = entries.map((entry) => [entry.path, conditionsOf(entry)] as const)
  const exports = { ...Object.fromEntries(conditions), './package.json': './package.json' }
  const text = JSON.stringify({ ...published, exports }, undefined, 2)
  await writeFile(join(folder, 'package.json'), `${text}\n`)
}

/** Builds modules of one format, with their types. */
async function runBuild(
  folder: string,
  entries: readonly Entry[],
  allowedImports: string[],
  options: InlineConfig,
): Promise<void> {
  await build({
    config: false,
    logLevel: 'error',
    cwd: client,
    entry: Object.fromEntries(entries.map(({ name, source }) => [name, source])),
    outDir: folder,
    platform: 'neutral',
    target: 'es2022',
    tsconfig: join(client, 'tsconfig.json'),
    deps: { neverBundle: true, onlyImport: allowedImports },
    dts: { sourcemap: false },
    sourcemap: true,
    hash: false,
    outputOptions: {
      // The same wherever the project is, and wherever the package is installed.
      sourcemapPathTransform: (source) => relative(projectPath(), join(folder, source)),
    },
    ...options,
  }).catch((error: unknown) => {
    const lines = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new DescriptionError(lines.filter((line) => !/^ +at /.test(line)))
  })
}

// The types of MSW 2 for ES modules do not fit those for CommonJS. All else is an ES module only: two copies
// of the class of errors would break `instanceof`.
function hasCommonJs({ path }: Entry): boolean {
  return path === './testing'
}

/** Returns what the manifest exports for an entry. */
function conditionsOf(entry: Entry) {
  const { name } = entry
  const module = { types: `./${name}.d.ts`, default: `./${name}.js` }
  if (!hasCommonJs(entry)) {
    return module
  }
  return { import: module, require: { types: `./${name}.d.cts`, default: `./${name}.cjs` } }
}

async function runPublint(folder: string): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true })
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`)
}

async function runAttw(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, 'package.json'), 'utf8')
  const { name, version }: { readonly name: string; readonly version: string } = JSON.parse(text)
  const files = await Promise.all(
    (await readdir(folder)).map(async (file) => {
      const content = await readFile(join(folder, file), 'utf8')
      return [`/node_modules/${name}/${file}`, content] as const
    }),
  )
  const analysis = await checkPackage(new Package(Object.fromEntries(files), name, version))
  if (!('problems' in analysis)) {
    return ['attw: the package has no types']
  }
  // The client itself is an ES module only, which older versions of CommonJS load with import().
  const problems = analysis.problems.filter(({ kind }) => kind !== 'CJSResolvesToESM')
  return problems.map((problem) => `attw: ${JSON.stringify(problem)}`)
}
