import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** A file or folder of this project, whatever the current directory. */
export function projectPath(...segments: string[]): string {
  return resolve(root, ...segments)
}

/** The description that `generated/` comes from. */
export const projectSpec = projectPath('spec/openapi.yaml')

/** Where the artifacts of the project's own description live. */
export const projectOutput = projectPath('generated')
