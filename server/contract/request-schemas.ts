import type { ValidateFunction } from 'ajv/dist/2020.js'
import { type CompileSchema, contentSchema, createCompiler, objectSchema } from './ajv.ts'
import { type Description, isObject, type Located, locate, rootOf } from './description.ts'
import type { Operation } from './operation.ts'
import type { RequestValues } from './parameters.ts'

/** The validators of requests to an operation, which report all errors and fill in defaults of the body. */
interface RequestSchemas {
  readonly request: ValidateFunction<RequestValues>
  readonly body: ValidateFunction<Pick<RequestValues, 'body'>>
}

/** Returns a function that returns the validators of an operation, compiled when they are first needed. */
export function createRequestSchemas(description: Description) {
  const compile = createCompiler(description, 'request')
  const compiled = new Map<Operation, RequestSchemas>()
  return (operation: Operation): RequestSchemas => {
    const schemas = compiled.get(operation) ?? compileSchemas(description, operation, compile)
    compiled.set(operation, schemas)
    return schemas
  }
}

function compileSchemas(
  description: Description,
  operation: Operation,
  compile: CompileSchema,
): RequestSchemas {
  const parameters = parametersOf(description, operation)
  const inPlace = (place: string) =>
    objectSchema(
      parameters
        .filter(({ node }) => node['in'] === place)
        .map((parameter) => {
          const name = String(parameter.node['name'])
          return [place === 'header' ? name.toLowerCase() : name, parameter]
        }),
    )
  const { path, method, requestBody } = operation
  const content = locate(description, rootOf(description), 'paths', path, method, 'requestBody')
  const body = (content && contentSchema(description, content)) ?? true
  const places = {
    path: inPlace('path'),
    query: inPlace('query'),
    headers: inPlace('header'),
    cookies: inPlace('cookie'),
  }
  const required = requestBody?.required ? ['body'] : []
  return {
    request: compile({ type: 'object', properties: { ...places, body }, required }),
    body: compile({ type: 'object', properties: { body }, required: ['body'] }),
  }
}

/** Returns the parameters of an operation; its own replace those of its path. */
function parametersOf(description: Description, { path, method }: Operation): Located[] {
  const found = new Map<string, Located>()
  const item = locate(description, rootOf(description), 'paths', path)
  for (const holder of [item, item && locate(description, item, method)]) {
    const list: unknown = holder?.node['parameters']
    if (holder === undefined || !Array.isArray(list)) continue
    for (const [index, node] of list.filter(isObject).entries()) {
      const pointer = `${holder.pointer}/parameters/${index}`
      const parameter = locate(description, { node, pointer })
      if (parameter) found.set(`${parameter.node['in']} ${parameter.node['name']}`, parameter)
    }
  }
  return [...found.values()]
}
