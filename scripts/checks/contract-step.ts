import { join } from 'node:path'
import { compile } from '../pipeline/artifacts.ts'
import { isFailure } from '../pipeline/failure.ts'
import { compareFolder, type Differences } from '../pipeline/output-folder.ts'
import { projectOutput, projectSpec, shortPath } from '../pipeline/project.ts'
import type { Step } from './step.ts'

/** Lints a description and proves that a folder holds exactly what the description compiles into. */
export function contractStep(spec = projectSpec, folder = projectOutput): Step {
  return {
    name: 'spec lint and freshness of generated/',
    async run() {
      try {
        const { artifacts } = await compile(spec, 'strict')
        return describe(folder, await compareFolder(folder, artifacts))
      } catch (error) {
        if (!isFailure(error)) throw error
        return error.message.split('\n')
      }
    },
  }
}

function describe(folder: string, { stale, missing, extra }: Differences): string[] {
  const show = (name: string) => shortPath(join(folder, name))
  return [
    ...stale.map((name) => `${show(name)} is stale; run: npm run generate`),
    ...missing.map((name) => `${show(name)} is missing; run: npm run generate`),
    ...extra.map((name) => `${show(name)} does not come from the spec; delete it or move it away`),
  ]
}
