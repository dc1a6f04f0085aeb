import { readFile } from 'node:fs/promises'
import { projectPath } from '../pipeline/project.ts'

/** What `client/package.json` says; its exports name the sources. */
export interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly private?: boolean
}

/** Reads the manifest that the package is made of. */
export async function readManifest(): Promise<Manifest> {
  return JSON.parse(await readFile(projectPath('client/package.json'), 'utf8'))
}

/** The source file of each module that the package lets in, by the name of what is built of it. */
export function listEntries({ exports }: Manifest): ReadonlyMap<string, string> {
  const rows = Object.entries(exports).map(([door, source]) => [nameOf(door), source] as const)
  return new Map(rows)
}

/** The packages that the built modules may import. */
export function listImportable({ dependencies, peerDependencies }: Manifest): readonly string[] {
  return Object.keys({ ...dependencies, ...peerDependencies })
}

/** The manifest as it is published: its exports name what was built of the sources. */
export function toPublished(manifest: Manifest): Record<string, unknown> {
  const { private: _, exports, ...rest } = manifest
  const built = Object.entries(exports).map(([door, source]) => {
    const types = `./types/client/${source.replace(/^\.\//, '').replace(/\.ts$/, '.d.ts')}`
    return [door, { types, default: `./${nameOf(door)}.js` }]
  })
  return {
    ...rest,
    exports: { ...Object.fromEntries(built), './package.json': './package.json' },
  }
}

function nameOf(door: string): string {
  return door === '.' ? 'index' : door.replace(/^\.\//, '')
}
