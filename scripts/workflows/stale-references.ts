import { bundleDescription, openDescription } from '../pipeline/bundle.ts'
import { type CalledOperation, callableOperations } from './called-operation.ts'
import { readWorkflows, type WorkflowStep } from './workflow-file.ts'

type Sources = ReadonlyMap<string, readonly CalledOperation[]>

/**
 * Finds what the workflows of an Arazzo description name and its OpenAPI descriptions do not have:
 * operations, parameters, statuses and headers of answers; and inputs that are not declared.
 */
export async function findStaleReferences(file: string): Promise<string[]> {
  const { steps, sources, place } = await readWorkflows(file)
  const described = await Promise.all([...sources].map(describe))
  return steps.flatMap((step) => {
    const operation = findOperation(step, new Map(described))
    if (typeof operation === 'string') return [`${place([...step.at, 'stepId'])} ${operation}`]
    if (operation === undefined) return []
    return [
      ...staleParameters(step, operation).map(([at, line]) => `${place(at)} ${line}`),
      ...[...staleAnswers(step, operation), ...staleInputs(step)].map(
        (line) => `${place([...step.at, 'stepId'])} ${line}`,
      ),
    ]
  })
}

async function describe([name, file]: readonly [string, string]) {
  const description = await bundleDescription(await openDescription(file))
  return [name, callableOperations(description)] as const
}

/** The operation that a step calls; a line where there is none; nothing where it calls a workflow. */
function findOperation({ step, name }: WorkflowStep, sources: Sources) {
  const { operationId, operationPath } = step
  if (typeof operationId === 'string') {
    const [, source, id = operationId] = /^\$sourceDescriptions\.([^.]+)\.(.+)$/.exec(
      operationId,
    ) ?? ['', undefined]
    const searched = source === undefined ? [...sources.values()].flat() : sources.get(source)
    const found = searched?.find((operation) => operation.operationId === id)
    return found ?? `${name}: there is no operation ${operationId}`
  }
  if (typeof operationPath !== 'string') return undefined
  const [, source = '', pointer] =
    /^\{\$sourceDescriptions\.([^.}]+)\.url\}#(.*)$/.exec(operationPath) ?? []
  const found = sources.get(source)?.find((operation) => operation.pointer === pointer)
  return found ?? `${name}: there is no operation at ${operationPath}`
}

function staleParameters({ name, parameters }: WorkflowStep, operation: CalledOperation) {
  return parameters
    .filter(({ parameter }) => !operation.takes(String(parameter['name']), String(parameter['in'])))
    .map(({ parameter, at }) => {
      const what = `${parameter['in']} parameter ${parameter['name']}`
      return [at, `${name}: ${operation.operationId} has no ${what}`] as const
    })
}

function staleAnswers({ name, step }: WorkflowStep, operation: CalledOperation): string[] {
  const { operationId, answers, hasHeader } = operation
  return [
    ...mentions(step, /\$statusCode\s*==\s*(\d{3})/g)
      .filter((status) => !answers(status))
      .map((status) => `${name}: ${operationId} does not answer ${status}`),
    ...mentions(step, /\$response\.header\.([\w-]+)/g)
      .filter((field) => !hasHeader(field))
      .map((field) => `${name}: no answer of ${operationId} has the header ${field}`),
  ]
}

// Where one is not handed in, the tool that runs workflows sends `undefined`.
function staleInputs({ name, step, parameters, inputs }: WorkflowStep): string[] {
  return mentions([step, parameters], /\$inputs\.([\w-]+)/g)
    .filter((input) => !inputs.includes(input))
    .map((input) => `${name}: its workflow has no input ${input}`)
}

function mentions(value: unknown, pattern: RegExp): string[] {
  const found = JSON.stringify(value).matchAll(pattern)
  return [...new Set(Array.from(found, ([, name = '']) => name))]
}
