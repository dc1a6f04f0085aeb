import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DescriptionError, isFailure } from '../pipeline/failure.ts'
import { projectSpec, shortPath } from '../pipeline/project.ts'
import { stampVersion } from './stamp.ts'

/** The description with another version, in a folder where nobody else sees it. */
export interface StagedSpec {
  readonly file: string
  readonly text: string
}

/** Lends a copy of the description, and of what stands beside it, that has another version. */
export async function withStagedSpec<Result>(
  version: string,
  use: (staged: StagedSpec) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'))
  try {
    await cp(dirname(projectSpec), folder, { recursive: true })
    const file = join(folder, basename(projectSpec))
    const text = stampVersion(await readFile(projectSpec, 'utf8'), ['info', 'version'], version)
    await writeFile(file, text)
    return await use({ file, text })
  } catch (error) {
    // What is wrong there is wrong in the description itself.
    if (!isFailure(error)) throw error
    const lines = error.message.replaceAll(shortPath(folder), shortPath(dirname(projectSpec)))
    throw new DescriptionError(lines.split('\n'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
