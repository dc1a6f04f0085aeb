import { relative } from 'node:path'
import { type OutputChunk, rolldown } from 'rolldown'
import { projectPath } from '../pipeline/project.ts'
import { BuildError } from './build-error.ts'

/** Bundles each entry into one module with a source map that holds its sources. */
export async function bundleModules(
  entries: ReadonlyMap<string, string>,
  importable: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const bundle = await rolldown({
    input: Object.fromEntries(entries),
    cwd: projectPath('client'),
    platform: 'neutral',
    // What is not ours stays an import; whether it may be one is checked below.
    external: (id, _importer, isResolved) => !isResolved && !/^[./]/.test(id),
    tsconfig: false,
    transform: { target: 'es2022' },
  })
  const { output } = await bundle.generate({
    chunkFileNames: '[name].js',
    sourcemap: true,
    sourcemapPathTransform: toLogicalPath,
  })
  await bundle.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  refuseImports(chunks, importable)
  return new Map(
    output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)]),
  )
}

// The same wherever the project is, and wherever the package goes.
function toLogicalPath(source: string): string {
  return relative(projectPath(), projectPath('client/dist', source)).replaceAll('\\', '/')
}

function refuseImports(chunks: readonly OutputChunk[], importable: readonly string[]): void {
  const own = chunks.map(({ fileName }) => fileName)
  const faults = chunks.flatMap(({ fileName, imports, dynamicImports }) =>
    [...imports, ...dynamicImports]
      .filter((name) => !own.includes(name) && !importable.some((known) => isOf(known, name)))
      .map((name) => `${fileName} imports ${name}, which is no dependency of the package`),
  )
  if (faults.length > 0) throw new BuildError(faults)
}

function isOf(packageName: string, specifier: string): boolean {
  return specifier === packageName || specifier.startsWith(`${packageName}/`)
}
