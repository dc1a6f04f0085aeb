import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type {
  Description,
  MediaType,
  Operation,
  Response,
} from '../../server/description/description.ts'
import { readDescription } from '../../server/description/description-reader.ts'
import type { Documents } from '../../server/description/documents.ts'
import { readShape, type Shape } from '../../server/description/error-shape.ts'
import { childOf, childrenOf } from '../../server/description/fields.ts'
import { type JsonObject, toList, toObject, toSortedJson } from '../../server/description/json.ts'
import { type Located, toKey } from '../../server/description/location.ts'
import { idOf } from '../../server/description/operations.ts'
import type { ErrorSettings } from '../../server/description/settings.ts'
import { reasonUnserved } from '../../server/description/unserved.ts'
import { platformName } from '../lint/platform-file.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { projectPath } from '../pipeline/project.ts'
import { Sources } from '../pipeline/sources.ts'
import { type BodyType, type PlatformCodes, printMapping } from './error-mapping.ts'

/** How a project of `init` sends errors. */
export interface ChosenErrors {
  /** What `service.yaml` says of errors; undefined where they are those of the platform. */
  readonly settings: ErrorSettings | undefined
  /** What `init` says of errors that the platform adds in its own format; undefined where there is nothing to say. */
  readonly note?: string | undefined
  /** The text of `server/api/error-format.ts`. */
  readonly code: string
}

/** A schema of errors, and how many responses have it. */
interface ErrorSchema {
  readonly schema: Located
  readonly mediaType: string
  readonly example: unknown
  /** The first response that has it. */
  readonly declared: DeclaredError
  count: number
}

/** An error response of an operation. */
interface DeclaredError {
  readonly operation: Operation
  readonly response: Response
}

const ofPlatform: ChosenErrors = { settings: undefined, code: printBuiltIn('errorObject') }

/**
 * Chooses how errors are sent, by the schema that most of the declared error responses have; `names` are the names
 * in code of operations whose operationId is none.
 */
export function chooseErrors(
  spec: string,
  names: ReadonlyMap<string, string> = new Map(),
): ChosenErrors {
  try {
    return chooseByDescription(spec, names)
  } catch (error) {
    // The description may refer to other hosts, which are not read.
    if (error instanceof DescriptionError) {
      return ofPlatform
    }
    throw error
  }
}

function chooseByDescription(spec: string, names: ReadonlyMap<string, string>): ChosenErrors {
  const sources = new Sources(spec)
  const { documents, platform } = sources
  const description = readDescription(documents)
  const declared = declaredErrors(description, platform?.file)
  const schemas = Array.from(countSchemas(declared, documents).values())
  const [mostUsed] = schemas.toSorted((one, other) => other.count - one.count)
  if (mostUsed === undefined) {
    return ofPlatform
  }

  const { schema, mediaType, example, declared: first } = mostUsed
  const shape = readShape(schema, documents, 0)
  const name = componentName(schema, documents)
  const pointer = name === undefined ? schema.pointer : `#/components/schemas/${name}`
  const isReferable = name !== undefined || schema.file === sources.file
  const settings = isReferable ? { mediaType, schema: pointer } : undefined
  const note = isReferable ? undefined : describeOtherFile(first)
  const builtIn = builtIns.find((each) => {
    return each.mediaType === mediaType && fits(shape, each.body) && hasUsualCodes(shape)
  })
  if (builtIn !== undefined) {
    return { settings, note, code: printBuiltIn(builtIn.name) }
  }
  const type = name === undefined ? typeOfResponse(first, names, documents) : typeOfSchema(name)
  const code = printMapping({ shape, mediaType, example, type }, readPlatformCodes())
  return { settings, note, code }
}

function describeOtherFile({ operation, response }: DeclaredError): string {
  const what = `the schema of errors, such as that of the ${response.status} of ${operation.name}, has no name and is in another file`
  const advice = 'make it a component of spec/openapi.yaml, and name it as errors.schema'
  return `spec/service.yaml: ${what}, so that the errors which the platform adds are its Error object; ${advice}`
}

function typeOfSchema(name: string): BodyType {
  return { name: 'Schema', text: `Schema<${JSON.stringify(name)}>` }
}

/** Returns the type of the body of a response; undefined if the service does not serve its operation. */
function typeOfResponse(
  { operation, response }: DeclaredError,
  names: ReadonlyMap<string, string>,
  documents: Documents,
): BodyType | undefined {
  const isServed = reasonUnserved(operation, documents) === undefined
  const id = names.get(operation.name) ?? idOf(operation)
  const { status } = response
  const key = /^\d+$/.test(status) ? status : JSON.stringify(status)
  const text = `ResponseBody<${JSON.stringify(id)}, ${key}>`
  return isServed ? { name: 'ResponseBody', text } : undefined
}

/** Returns the error responses that the description declares, but those of the platform. */
function declaredErrors(
  { operations, documents }: Description,
  platformFile: string | undefined,
): readonly DeclaredError[] {
  const responses = operations.flatMap((operation) => {
    return operation.responses.map((response) => ({ operation, response }))
  })
  return responses.filter(({ response }) => {
    const { file } = documents.originOf(documents.at(response.entry))
    const isOfPlatform = response.at.file === platformFile || file === platformFile
    return !response.isSuccess && !isOfPlatform
  })
}

function countSchemas(
  responses: readonly DeclaredError[],
  documents: Documents,
): ReadonlyMap<string, ErrorSchema> {
  const schemas = new Map<string, ErrorSchema>()
  for (const declared of responses) {
    const { content } = declared.response
    const media = content.find(({ name }) => /^[^*]*[/+]json\s*(?:;|$)/i.test(name))
    if (media?.schema === undefined) {
      continue
    }
    const schema = withoutNarrowing(documents.tryTarget(media.schema), documents)
    // A schema without a name is written out in each response, and counted as one.
    const isNamed = componentName(schema, documents) !== undefined
    const key = isNamed ? toKey(schema) : toSortedJson(schema.value)
    const counted = schemas.get(key)
    if (counted === undefined) {
      const example = exampleOf(media, documents)
      schemas.set(key, { schema, mediaType: media.name, example, declared, count: 1 })
    } else {
      counted.count++
    }
  }
  return schemas
}

/**
 * Returns the schema that a schema of errors narrows to its own status or code, as
 * `allOf: [{ $ref: Error }, { properties: { status: { enum: [401] } } }]` does; else the schema itself.
 */
function withoutNarrowing(schema: Located, documents: Documents): Located {
  const [first, ...otherParts] = childrenOf(schema, 'allOf')
  const base = first && documents.tryNext(first)
  if (base === undefined || otherParts.length === 0) {
    return schema
  }
  const target = documents.tryTarget(base)
  const { properties } = readShape(target, documents, 0)
  const narrowed = [...readShape(schema, documents, 0).properties.keys()]
  const isNarrowing = narrowed.every((name) => properties.has(name))
  // The type of a body has the name of a component.
  return isNarrowing && componentName(target, documents) !== undefined ? target : schema
}

function exampleOf({ examples }: MediaType, documents: Documents): unknown {
  const [first] = Object.values(toObject(examples['examples']))
  const firstValue = first === undefined ? undefined : documents.followValue(first)['value']
  return examples['example'] ?? firstValue
}

/** Returns the name of the component that a schema is; undefined if it is none. */
function componentName(schema: Located, documents: Documents): string | undefined {
  const components = childOf(documents.root, 'components')
  const component = childrenOf(components, 'schemas').find(
    (each) => toKey(documents.tryTarget(each)) === toKey(schema),
  )
  return component?.key
}

/** The formats that the platform has, with a body of each. */
const builtIns = [
  {
    name: 'problemDetails',
    mediaType: 'application/problem+json',
    body: { type: '', title: '', status: 1, detail: '', code: 'not_found', errors: [] },
  },
  {
    name: 'errorObject',
    mediaType: 'application/json',
    body: { code: 'not_found', message: '', status: 1, details: [] },
  },
] as const

/** Returns whether bodies with the members of an example may have a shape. */
function fits(shape: Shape, body: JsonObject): boolean {
  const hasRequired = [...shape.required].every((name) => name in body)
  const isOpen = shape.keywords['additionalProperties'] !== false
  const allowsMembers = Object.entries(body).every(([name, value]) => {
    const member = shape.properties.get(name)
    return member === undefined ? isOpen : isOfType(member, value) && hasDetails(member)
  })
  return shape.properties.size > 0 && hasRequired && allowsMembers
}

/** Codes of the platform that every API sends. */
const usualCodes = ['invalid_request', 'not_found', 'internal_error']

/** Returns whether a shape allows the codes of the platform: some schemas list codes of their own. */
function hasUsualCodes({ properties }: Shape): boolean {
  const values = properties.get('code')?.values
  return values === undefined || usualCodes.every((code) => values.includes(code))
}

/** Returns whether the items of a list of details are those of the platform. */
function hasDetails({ items }: Shape): boolean {
  const names = [...(items?.properties.keys() ?? [])]
  return names.length === 0 || ['path', 'message'].every((name) => names.includes(name))
}

function isOfType({ types, values }: Shape, value: unknown): boolean {
  const isListed = values === undefined || values.includes(value)
  const allowed = types.map((type) => (type === 'integer' ? 'number' : type))
  const type = Array.isArray(value) ? 'array' : typeof value
  return isListed && (allowed.length === 0 || allowed.includes(type))
}

function printBuiltIn(name: 'errorObject' | 'problemDetails'): string {
  const what = {
    errorObject: "the platform's own Error object",
    problemDetails: 'problem details (RFC 9457)',
  }
  return `// The format of this API for errors: ${what[name]}.
export { ${name} as errorFormat } from '../contract/error-format.ts'
`
}

/** Returns the statuses of the platform's errors, by their codes, as its schemas have them. */
function readPlatformCodes(): PlatformCodes {
  const platform = toObject(parse(readFileSync(projectPath('spec', platformName), 'utf8')))
  const { schemas } = toObject(platform['components'])
  const pairs = Object.values(toObject(schemas)).flatMap((schema) => {
    const [, narrowing] = toList(toObject(schema)['allOf'])
    const { code, status } = toObject(toObject(narrowing)['properties'])
    const [first] = toList(toObject(status)['enum'])
    return toList(toObject(code)['enum']).map((each) => [String(each), Number(first)] as const)
  })
  return new Map(pairs)
}
