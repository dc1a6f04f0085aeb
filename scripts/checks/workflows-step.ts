import { existsSync } from 'node:fs'
import { isFailure } from '../pipeline/failure.ts'
import { lintWith } from '../pipeline/lint.ts'
import { projectPath, shortPath } from '../pipeline/project.ts'
import { findStaleReferences } from '../workflows/stale-references.ts'
import type { Step } from './step.ts'

const rules = projectPath('scripts/pipeline/lint-levels/workflows.yaml')

/** Lints an Arazzo description, and holds what it names against the OpenAPI description it calls. */
export function workflowsStep(file = projectPath('spec/workflows.arazzo.yaml')): Step {
  return {
    name: 'workflows',
    async run() {
      if (!existsSync(file))
        return [`${shortPath(file)} is missing: it says how calls are combined`]
      try {
        const [{ errors, warnings }, stale] = await Promise.all([
          lintWith(file, rules),
          findStaleReferences(file),
        ])
        return [...errors, ...warnings, ...stale]
      } catch (error) {
        if (!isFailure(error)) throw error
        return error.message.split('\n')
      }
    },
  }
}
