import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Description, MediaType, Response } from '../../server/description/description.ts'
import { readDescription } from '../../server/description/description-reader.ts'
import type { Documents } from '../../server/description/documents.ts'
import { readShape, type Shape } from '../../server/description/error-shape.ts'
import { childOf, childrenOf } from '../../server/description/fields.ts'
import { type JsonObject, toList, toObject } from '../../server/description/json.ts'
import { type Located, toKey } from '../../server/description/location.ts'
import type { ErrorSettings } from '../../server/description/settings.ts'
import { platformName } from '../lint/platform-file.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { projectPath } from '../pipeline/project.ts'
import { Sources } from '../pipeline/sources.ts'
import { type PlatformCodes, printMapping } from './error-mapping.ts'

/** How a project of `init` sends errors. */
export interface ChosenErrors {
  /** What `service.yaml` says of errors; undefined where they are those of the platform. */
  readonly settings: ErrorSettings | undefined
  /** The text of `server/api/error-format.ts`. */
  readonly code: string
}

/** A schema of errors, and how many responses have it. */
interface ErrorSchema {
  readonly schema: Located
  readonly mediaType: string
  readonly example: unknown
  count: number
}

const ofPlatform: ChosenErrors = { settings: undefined, code: printBuiltIn('errorObject') }

/** Chooses how errors are sent, by the schema that most of the declared error responses have. */
export function chooseErrors(spec: string): ChosenErrors {
  try {
    return chooseByDescription(spec)
  } catch (error) {
    // What it refers to on other hosts is not read.
    if (error instanceof DescriptionError) {
      return ofPlatform
    }
    throw error
  }
}

function chooseByDescription(spec: string): ChosenErrors {
  const sources = new Sources(spec)
  const { documents, platform } = sources
  const description = readDescription(documents)
  const declared = declaredErrors(description, platform?.file)
  const [most] = [...countSchemas(declared, documents).values()].toSorted(
    (one, other) => other.count - one.count,
  )
  if (most === undefined) {
    return ofPlatform
  }

  const { schema, mediaType, example } = most
  const shape = readShape(schema, documents, 0)
  const name = componentName(schema, documents)
  const settings = name === undefined ? undefined : toSettings(name, mediaType)
  const builtIn = builtIns.find((each) => each.mediaType === mediaType && fits(shape, each.body))
  if (builtIn !== undefined) {
    return { settings, code: printBuiltIn(builtIn.name) }
  }
  return { settings, code: printMapping({ shape, mediaType, example, name }, readPlatformCodes()) }
}

function toSettings(name: string, mediaType: string): ErrorSettings {
  return { mediaType, schema: `#/components/schemas/${name}` }
}

/** Returns the error responses that the description declares, but those of the platform. */
function declaredErrors(
  { operations, documents }: Description,
  platformFile: string | undefined,
): readonly Response[] {
  const responses = operations.flatMap((operation) => operation.responses)
  return responses.filter((response) => {
    const { file } = documents.originOf(documents.at(response.entry))
    const isOfPlatform = response.at.file === platformFile || file === platformFile
    return !response.isSuccess && !isOfPlatform
  })
}

function countSchemas(
  responses: readonly Response[],
  documents: Documents,
): ReadonlyMap<string, ErrorSchema> {
  const found = new Map<string, ErrorSchema>()
  for (const { content } of responses) {
    const media = content.find(({ name }) => /^[^*]*[/+]json\s*(?:;|$)/i.test(name))
    if (media?.schema === undefined) {
      continue
    }
    const schema = documents.tryTarget(media.schema)
    const known = found.get(toKey(schema))
    if (known === undefined) {
      const example = exampleOf(media, documents)
      found.set(toKey(schema), { schema, mediaType: media.name, example, count: 1 })
    } else {
      known.count++
    }
  }
  return found
}

function exampleOf({ examples }: MediaType, documents: Documents): unknown {
  const [first] = Object.values(toObject(examples['examples']))
  return (
    examples['example'] ?? (first === undefined ? undefined : documents.followValue(first)['value'])
  )
}

/** Returns the name of the component that a schema is; undefined if it is none. */
function componentName(schema: Located, documents: Documents): string | undefined {
  const components = childOf(documents.root, 'components')
  const found = childrenOf(components, 'schemas').find(
    (each) => toKey(documents.tryTarget(each)) === toKey(schema),
  )
  return found?.key
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
  return (
    hasRequired &&
    shape.properties.size > 0 &&
    Object.entries(body).every(([name, value]) => {
      const member = shape.properties.get(name)
      return member === undefined ? isOpen : isOfType(member, value) && hasDetails(member)
    })
  )
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
