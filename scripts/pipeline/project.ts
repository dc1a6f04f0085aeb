import { relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** A file or folder of this project, whatever the current directory. */
export function projectPath(...segments: string[]): string {
  return resolve(root, ...segments)
}

/** A path as its reader would type it, seen from the current directory. */
export function shortPath(path: string): string {
  return relative(process.cwd(), path) || '.'
}

/** The description that `generated/` comes from. */
export const projectSpec = projectPath('spec/openapi.yaml')

/** Where the artifacts of the project's own description live. */
export const projectOutput = projectPath('generated')
