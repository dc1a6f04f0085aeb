import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { parse, stringify } from 'yaml'
import type { Description } from '../../server/description/description.ts'
import { type JsonObject, toObject } from '../../server/description/json.ts'
import { codeNameKey } from '../../server/description/operations.ts'
import {
  paginationKey,
  paginationStyles,
  parameterKeys,
  pointerNames,
} from '../../server/description/pagination.ts'
import { pointerKeys, toPointer, valueAt } from '../../server/description/pointer.ts'
import type { Settings } from '../../server/description/settings.ts'
import { DescriptionError } from './failure.ts'
import { SourceFile } from './source-file.ts'
import { isVersion, versionPattern } from './version.ts'

/** The name of the file, beside a description, with what the platform must know of it. */
export const serviceFileName = 'service.yaml'

/** The name of the file with the contract as it was last released. */
export const releasedName = 'released.yaml'

/** The last key of that file: what `service.yaml` said at the release. */
const recordKey = 'x-service'

/** What the `service.yaml` of a description says. */
export interface ServiceFile {
  /** The path of the file, whether it exists or not. */
  readonly file: string
  /** Where the file has it: at its root, or at a key of the last release. */
  readonly pointer: string
  /** The extensions that it adds to operations, by names such as `GET /orders`. */
  readonly operations: ReadonlyMap<string, JsonObject>
  /** All but the operations. */
  readonly settings: Settings
}

/** What a process may hold of one body: more would end it. */
const maxSafeBytes = 100_000_000

const schemaPointer = '^#/.+$'

/** The schema of the file. */
const schema = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    version: {
      type: 'string',
      pattern: versionPattern,
      errorMessage: 'is three numbers, such as 1.4.0',
    },
    operations: {
      type: ['object', 'null'],
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        properties: {
          name: {
            type: 'string',
            pattern: '^[a-z][A-Za-z0-9]*$',
            errorMessage: 'is camelCase, such as listBooks, because it names a method and a file',
          },
          pagination: {
            type: 'object',
            additionalProperties: false,
            properties: {
              style: { enum: paginationStyles },
              ...texts(parameterKeys),
              ...texts(pointerNames),
            },
          },
        },
      },
    },
    errors: {
      type: 'object',
      additionalProperties: false,
      properties: {
        mediaType: {
          type: 'string',
          pattern: '^[a-z]+/(?:[^*\\s]+[+])?json$',
          errorMessage: 'is a media type of JSON, such as application/problem+json',
        },
        schema: {
          type: 'string',
          pattern: schemaPointer,
          errorMessage: 'is the pointer to a schema, such as #/components/schemas/Problem',
        },
      },
    },
    requests: {
      type: 'object',
      additionalProperties: false,
      properties: {
        unknownQueryParameters: { enum: ['reject', 'ignore'] },
        repeatedParameters: { enum: ['reject', 'first', 'last'] },
        paths: { enum: ['exact', 'lenient'] },
        accept: { enum: ['check', 'ignore'] },
        readOnlyMembers: { enum: ['drop', 'reject'] },
        largeIntegers: { enum: ['reject', 'accept'] },
        maxBytes: { type: 'integer', minimum: 1, maximum: maxSafeBytes },
      },
    },
    platformPaths: {
      type: 'string',
      pattern: '^(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$',
      errorMessage: 'is a path without a slash at its end, such as /_platform',
    },
  },
}

/** Returns the schemas of properties that are texts. */
function texts(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
}

/** What the schema accepts. */
type Content = (Settings & { readonly operations?: Operations | null }) | null
type Operations = Readonly<Record<string, OwnOperation>>

/** What it says of an operation. */
interface OwnOperation {
  readonly name?: string
  readonly pagination?: JsonObject
}

// The schema is our own: to validate it takes a quarter of the start of a command.
const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true, validateSchema: false })
ajv.addKeyword('errorMessage')
const validate = ajv.compile<Content>(schema)

/** Reads the `service.yaml` beside a description; throws its problems, each with its line. */
export function readServiceFile(spec: string): ServiceFile {
  if (basename(spec) === releasedName) {
    return readRecord(spec)
  }
  const file = join(dirname(spec), serviceFileName)
  if (!existsSync(file)) {
    return toServiceFile(file, '#', null)
  }

  const source = new SourceFile(file)
  const { value: content } = source
  if (!validate(content)) {
    const problems = validate.errors ?? []
    throw new DescriptionError(problems.map((problem) => describe(problem, source)))
  }
  return toServiceFile(file, '#', content)
}

/** Returns what the last release keeps of a `service.yaml`, as its last lines; '' if there is no such file. */
export function printRecord(spec: string): string {
  const file = join(dirname(spec), serviceFileName)
  if (!existsSync(file)) {
    return ''
  }
  // The release has a version of its own.
  const { version: _, ...content } = toObject(parse(readFileSync(file, 'utf8')))
  return stringify({ [recordKey]: content }, { lineWidth: 0 })
}

/** Reads what the last release has kept of its `service.yaml`, which was valid then. */
function readRecord(file: string): ServiceFile {
  const text = readFileSync(file, 'utf8')
  const start = text.search(new RegExp(`^${recordKey}:`, 'm'))
  const record = start < 0 ? {} : toObject(parse(text.slice(start)))
  return toServiceFile(file, toPointer([recordKey]), toObject(record[recordKey]))
}

function toServiceFile(file: string, pointer: string, content: Content): ServiceFile {
  const { operations, ...settings } = content ?? {}
  const added = Object.entries(operations ?? {}).map(([operation, { name, pagination }]) => {
    const ofName = name === undefined ? {} : { [codeNameKey]: name }
    const ofPages = pagination === undefined ? {} : { [paginationKey]: pagination }
    return [operation, { ...ofName, ...ofPages }] as const
  })
  return { file, pointer, operations: new Map(added), settings }
}

/** Throws the operations of a `service.yaml` that its description does not have. */
export function rejectUnknownOperations(
  { file, operations }: ServiceFile,
  description: Description,
): void {
  const operationNames = new Set(description.operations.map(({ name }) => name))
  const unknown = [...operations.keys()].filter((name) => !operationNames.has(name))
  if (unknown.length === 0) {
    return
  }

  const source = new SourceFile(file)
  const lines = unknown.map((name) => {
    const at = source.locationOf(toPointer(['operations', name]))
    return `${at} service-file The description has no operation ${name}; correct or remove it.`
  })
  throw new DescriptionError(lines)
}

/** Throws if `errors.schema` leads to nothing in a description. */
export function rejectUnknownErrorSchema({ file, settings }: ServiceFile, root: unknown): void {
  const { schema: pointer } = settings.errors ?? {}
  if (pointer === undefined || valueAt(root, pointer) !== undefined) {
    return
  }
  const at = new SourceFile(file).locationOf('#/errors/schema')
  throw new DescriptionError([
    `${at} service-file errors.schema is ${pointer}, which the description does not have; correct it.`,
  ])
}

/** Throws if releases have no version of three numbers, from which the next one follows. */
export function rejectUnusableVersion(
  spec: string,
  { apiVersion }: Description,
  { settings }: ServiceFile,
): void {
  if (settings.version !== undefined || isVersion(apiVersion)) {
    return
  }

  const at = new SourceFile(spec).locationOf('#/info/version')
  throw new DescriptionError([
    `${at} version The version ${apiVersion} is not three numbers, from which that of the next release follows; add one to ${serviceFileName}, such as version: 1.0.0.`,
  ])
}

/** Returns the line about a problem. */
function describe(problem: ErrorObject, source: SourceFile): string {
  const { keyword, instancePath, params, parentSchema } = problem
  const name = instancePath === '' ? 'The file' : pointerKeys(instancePath).join('.')
  const { additionalProperty, allowedValues } = toObject(params)

  if (keyword === 'additionalProperties') {
    const at = source.locationOf(`#${instancePath}/${additionalProperty}`)
    const names = Object.keys(toObject(toObject(parentSchema)['properties'])).join(', ')
    return `${at} service-file There is no setting ${additionalProperty}; there are ${names}.`
  }

  const at = source.locationOf(`#${instancePath}`)
  if (Array.isArray(allowedValues)) {
    return `${at} service-file ${name} is ${allowedValues.join(' or ')}.`
  }
  const { errorMessage } = toObject(parentSchema)
  const reason = keyword === 'pattern' ? (errorMessage ?? problem.message) : problem.message
  return `${at} service-file ${name} ${reason}.`
}
