import { dirname, resolve } from 'node:path'
import { bundleDescription, openDescription, openFile } from '../pipeline/bundle.ts'
import {
  dereference,
  type JsonObject,
  toList,
  toObject,
  toPointer,
} from '../pipeline/description.ts'
import { findProblems } from '../pipeline/lint.ts'
import { operationsOf, type Place } from '../pipeline/operation-places.ts'
import { projectPath } from '../pipeline/project.ts'
import { locate } from '../pipeline/references.ts'
import type { Step } from './step.ts'

interface Operation extends Place {
  readonly root: JsonObject
  /** The name of its description in the workflows. */
  readonly source: unknown
}

/** Lints workflows (Arazzo) and compares what they name with the descriptions that they call. */
export function workflowsStep(file = projectPath('spec/workflows.arazzo.yaml')): Step {
  return {
    name: 'workflows',
    async run() {
      const opened = await openFile(file)
      const problems = await findProblems(opened, 'workflows')
      if (problems.length > 0) return problems.map(({ line, excerpt }) => `${line}\n${excerpt}`)
      const root = toObject(opened.document.parsed)
      const operations = await readOperations(root, file)
      const stale = toList(root['workflows']).flatMap((workflow, index) =>
        findStale(root, operations, toObject(workflow), ['workflows', String(index)]),
      )
      return stale.map(({ keys, message }) => `${locate({ ...opened, keys })} ${message}`)
    },
  }
}

async function readOperations(root: JsonObject, file: string): Promise<readonly Operation[]> {
  const sources = toList(root['sourceDescriptions']).map(toObject)
  const read = sources.map(async ({ name, url, type }) => {
    if (type !== 'openapi') return []
    const opened = await openDescription(resolve(dirname(file), String(url)))
    const description = await bundleDescription(opened)
    return operationsOf(description).map((place) => ({ ...place, root: description, source: name }))
  })
  return (await Promise.all(read)).flat()
}

/** Finds what the steps of a workflow name and the descriptions do not have, and undeclared inputs. */
function findStale(
  root: JsonObject,
  operations: readonly Operation[],
  workflow: JsonObject,
  at: readonly string[],
) {
  const inputs = toObject(dereference(root, workflow['inputs'])['properties'])
  const ofWorkflow = readParameters(root, workflow, at)
  return toList(workflow['steps']).flatMap((value, index) => {
    const step = toObject(value)
    const here = [...at, 'steps', String(index)]
    const parameters = [...ofWorkflow, ...readParameters(root, step, here)]
    const report = (message: string, keys: readonly string[] = [...here, 'stepId']) => {
      return { keys, message: `${workflow['workflowId']} / ${step['stepId']}: ${message}` }
    }
    const undeclared = mentions([step, parameters], /\$inputs\.([\w-]+)/g)
      .filter((name) => !Object.hasOwn(inputs, name))
      .map((name) => report(`its workflow has no input ${name}`))
    const called = step['operationId'] ?? step['operationPath']
    if (typeof called !== 'string') return undeclared
    const operation = operations.find((one) => namesOf(one).includes(called))
    if (operation === undefined) return [...undeclared, report(`there is no operation ${called}`)]
    const unknown = parameters
      .filter(({ parameter }) => !takes(operation, parameter))
      .map(({ parameter: { in: location, name }, keys }) =>
        report(`${operation.name} has no ${location} parameter ${name}`, keys),
      )
    return [
      ...undeclared,
      ...unknown,
      ...staleResponses(step, operation).map((line) => report(line)),
    ]
  })
}

function readParameters(root: JsonObject, holder: JsonObject, at: readonly string[]) {
  return toList(holder['parameters']).map((value, index) => {
    const { reference, ...own } = toObject(value)
    const [, name = ''] = /^\$components\.parameters\.(.+)$/.exec(String(reference)) ?? []
    const shared = toObject(toObject(toObject(root['components'])['parameters'])[name])
    return { parameter: { ...shared, ...own }, keys: [...at, 'parameters', String(index)] }
  })
}

function namesOf({ name, source, path, method }: Operation): readonly string[] {
  const pointer = toPointer(['paths', path, method])
  const prefix = `$sourceDescriptions.${source}`
  return [name, `${prefix}.${name}`, `{${prefix}.url}${pointer}`]
}

function takes({ root, pathItem, operation }: Operation, { name, in: location }: JsonObject) {
  // OpenAPI describes these elsewhere than as parameters.
  if (/^(?:accept|content-type|authorization)$/i.test(String(name))) return true
  const schemes = Object.values(toObject(toObject(root['components'])['securitySchemes']))
  const same = location === 'header' ? (text: unknown) => String(text).toLowerCase() : String
  return [...toList(pathItem['parameters']), ...toList(operation['parameters']), ...schemes]
    .map((declared) => dereference(root, declared))
    .some((declared) => declared['in'] === location && same(declared['name']) === same(name))
}

function staleResponses(step: JsonObject, { root, name, operation }: Operation): string[] {
  const responses = toObject(operation['responses'])
  const headers = Object.values(responses).flatMap((response) =>
    Object.keys(toObject(dereference(root, response)['headers'])),
  )
  const known = ['content-type', ...headers.map((header) => header.toLowerCase())]
  return [
    ...mentions(step, /\$statusCode\s*==\s*(\d{3})/g)
      .filter((status) => ![status, `${status[0]}XX`, 'default'].some((key) => key in responses))
      .map((status) => `${name} has no response ${status}`),
    ...mentions(step, /\$response\.header\.([\w-]+)/g)
      .filter((header) => !known.includes(header.toLowerCase()))
      .map((header) => `no response of ${name} has the header ${header}`),
  ]
}

function mentions(value: unknown, pattern: RegExp): string[] {
  const found = JSON.stringify(value).matchAll(pattern)
  return [...new Set(Array.from(found, ([, name = '']) => name))]
}
