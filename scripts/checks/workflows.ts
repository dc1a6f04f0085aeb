import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readBundled } from '../../server/description/description-reader.ts'
import { type JsonObject, toList, toObject } from '../../server/description/json.ts'
import { idOf } from '../../server/description/operations.ts'
import { toPointer } from '../../server/description/pointer.ts'
import { servedOperations } from '../../server/description/unserved.ts'
import { bundleDescription, openDescription, openFile } from '../pipeline/bundle.ts'
import { findProblems } from '../pipeline/lint.ts'
import { projectPath } from '../pipeline/project.ts'
import { Sources } from '../pipeline/sources.ts'

/** Lints workflows (Arazzo) and looks for operations that the descriptions they call do not have. */
export async function checkWorkflows(): Promise<readonly string[]> {
  const file = projectPath('spec/workflows.arazzo.yaml')
  if (!existsSync(file)) {
    return []
  }
  const problems = await findProblems(await openFile(file), 'workflows')
  if (problems.length > 0) {
    return problems.map(({ report }) => report)
  }
  const sources = new Sources(file)
  const root = toObject(sources.root)
  const operations = await readOperations(root, dirname(file))
  return toList(root['workflows']).flatMap((workflow, index) =>
    toList(toObject(workflow)['steps']).flatMap((step, number) => {
      const { stepId, operationId, operationPath, workflowId } = toObject(step)
      const called = String(operationId ?? operationPath)
      if (workflowId !== undefined || operations.has(called)) {
        return []
      }
      const at = toPointer(['workflows', `${index}`, 'steps', `${number}`, 'stepId'])
      const name = `${toObject(workflow)['workflowId']} / ${stepId}`
      return [`${sources.locationOf(file, at)} ${name}: there is no operation ${called}`]
    }),
  )
}

/** Returns every name that a step can have for an operation. */
async function readOperations(root: JsonObject, folder: string): Promise<ReadonlySet<string>> {
  const sources = toList(root['sourceDescriptions']).map(toObject)
  const names = sources.map(async ({ name: source, url, type }) => {
    if (type !== 'openapi') {
      return []
    }
    const opened = await openDescription(resolve(folder, String(url)))
    const description = readBundled(await bundleDescription(opened))
    return servedOperations(description).flatMap((operation) => {
      const id = idOf(operation)
      const pointer = toPointer(['paths', operation.path, operation.method.toLowerCase()])
      return [
        id,
        `$sourceDescriptions.${source}.${id}`,
        `{$sourceDescriptions.${source}.url}${pointer}`,
      ]
    })
  })
  return new Set((await Promise.all(names)).flat())
}
