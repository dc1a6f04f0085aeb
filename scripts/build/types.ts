import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix, sep } from 'node:path'
import { runProgram } from '../checks/step.ts'
import { projectPath } from '../pipeline/project.ts'
import { BuildError } from './build-error.ts'

/** Declares the types that the entries of the client lead to, a file for each module. */
export async function declareTypes(
  entries: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const out = await mkdtemp(join(tmpdir(), 'client-types-'))
  try {
    const args = ['-p', projectPath('client/tsconfig.json'), '--outDir', out]
    const faults = await runProgram('typescript7/bin/tsc', args)
    if (faults.length > 0) throw new BuildError(faults)
    const declared = await readFolder(out)
    // What is a declaration already is not emitted again.
    const wire = await readFile(projectPath('generated/openapi.d.ts'), 'utf8')
    declared.set('generated/openapi.d.ts', toPublished(wire))
    const doors = [...entries.values()].map((source) => posix.join('client', toDeclaration(source)))
    const reached = follow(declared, doors)
    return new Map([...reached].sort().map((name) => [`types/${name}`, declared.get(name) ?? '']))
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

// The compiler leaves the names of sources in imports; what is published has none of them.
function toPublished(text: string): string {
  return text.replace(/(\bfrom |\bimport\()(['"])(\.[^'"]*?)(?:\.d)?\.ts\2/g, '$1$2$3.js$2')
}

function toDeclaration(name: string): string {
  return name.replace(/\.[jt]s$/, '.d.ts')
}

function follow(texts: ReadonlyMap<string, string>, from: readonly string[]): Set<string> {
  const reached = new Set(from)
  // A set that grows while it is walked is walked to its new end.
  for (const name of reached) {
    const text = texts.get(name)
    if (text === undefined) throw new BuildError([`nothing declares ${name}`])
    const imports = text.matchAll(/(?:\bfrom |\bimport\()['"](\.[^'"]*)['"]/g)
    for (const [, specifier = ''] of imports) {
      reached.add(posix.join(posix.dirname(name), toDeclaration(specifier)))
    }
  }
  return reached
}

async function readFolder(folder: string): Promise<Map<string, string>> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
  const texts = paths.map(
    async (path): Promise<[string, string]> => [
      path.slice(folder.length + 1).replaceAll(sep, '/'),
      toPublished(await readFile(path, 'utf8')),
    ],
  )
  return new Map(await Promise.all(texts))
}
