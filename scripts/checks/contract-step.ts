import { join, relative } from 'node:path'
import { compile } from '../pipeline/artifacts.ts'
import { DescriptionError, UsageError } from '../pipeline/failure.ts'
import { compareFolder } from '../pipeline/output-folder.ts'
import { projectOutput, projectPath, projectSpec } from '../pipeline/project.ts'
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
        if (error instanceof DescriptionError || error instanceof UsageError)
          return error.message.split('\n')
        throw error
      }
    },
  }
}

function describe(
  folder: string,
  { stale, missing, extra }: Awaited<ReturnType<typeof compareFolder>>,
) {
  const show = (name: string) => relative(projectPath(), join(folder, name))
  return [
    ...stale.map((name) => `${show(name)} is stale; run: npm run generate`),
    ...missing.map((name) => `${show(name)} is missing; run: npm run generate`),
    ...extra.map(
      (name) => `${show(name)} does not come from the spec; move it elsewhere or delete it`,
    ),
  ]
}
