import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isNode, LineCounter, parseDocument } from 'yaml'
import { dereference, type JsonObject, toList, toObject } from '../pipeline/description.ts'
import { shortPath } from '../pipeline/project.ts'

/** Where something stands in a file of workflows: names and numbers, from the root down. */
export type Position = readonly (string | number)[]

/** One call of a workflow, as an Arazzo description has it. */
export interface WorkflowStep {
  readonly name: string
  readonly step: JsonObject
  readonly at: Position
  /** The names of what its workflow is handed in. */
  readonly inputs: readonly string[]
  /** Its own parameters and those of its workflow, each where it is written. */
  readonly parameters: readonly { readonly parameter: JsonObject; readonly at: Position }[]
}

/** An Arazzo description, read. */
export interface WorkflowFile {
  readonly steps: readonly WorkflowStep[]
  /** The OpenAPI descriptions that the steps call, as files, by the name they have here. */
  readonly sources: ReadonlyMap<string, string>
  /** A position as `file:line:column`. */
  readonly place: (at: Position) => string
}

/** Reads an Arazzo description; what is wrong with its form is the linter's business. */
export async function readWorkflows(file: string): Promise<WorkflowFile> {
  const lineCounter = new LineCounter()
  const document = parseDocument(await readFile(file, 'utf8'), { lineCounter })
  const root = toObject(document.toJS())
  const sources = toList(root['sourceDescriptions']).map(toObject)
  return {
    steps: toList(root['workflows']).flatMap((workflow, number) =>
      stepsOf(root, toObject(workflow), ['workflows', number]),
    ),
    sources: new Map(
      sources
        .filter(({ type }) => type === 'openapi')
        .map(({ name, url }) => [String(name), resolve(dirname(file), String(url))]),
    ),
    place(at) {
      const node = document.getIn(at, true)
      const { line, col } = lineCounter.linePos((isNode(node) ? node.range?.[0] : undefined) ?? 0)
      return `${shortPath(file)}:${line}:${col}`
    },
  }
}

function stepsOf(root: JsonObject, workflow: JsonObject, at: Position): WorkflowStep[] {
  const shared = parametersOf(root, workflow, at)
  const inputs = Object.keys(toObject(dereference(root, workflow['inputs'])['properties']))
  return toList(workflow['steps']).map((value, number) => {
    const step = toObject(value)
    const here = [...at, 'steps', number]
    return {
      name: `${workflow['workflowId']} / ${step['stepId']}`,
      step,
      at: here,
      inputs,
      parameters: [...shared, ...parametersOf(root, step, here)],
    }
  })
}

function parametersOf(root: JsonObject, holder: JsonObject, at: Position) {
  return toList(holder['parameters']).map((value, number) => {
    const { reference, ...own } = toObject(value)
    const [, name = ''] = /^\$components\.parameters\.(.+)$/.exec(String(reference)) ?? []
    const shared = toObject(toObject(toObject(root['components'])['parameters'])[name])
    return { parameter: { ...shared, ...own }, at: [...at, 'parameters', number] }
  })
}
