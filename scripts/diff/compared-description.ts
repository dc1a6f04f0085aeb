import { existsSync } from 'node:fs'
import type {
  Description,
  MediaType,
  Operation,
  Response,
} from '../../server/description/description.ts'
import { readDescription } from '../../server/description/description-reader.ts'
import { toText } from '../../server/description/json.ts'
import type { Located, Location } from '../../server/description/location.ts'
import { codeNameKey } from '../../server/description/operations.ts'
import { paginationKey, readPaginationRule } from '../../server/description/pagination.ts'
import { toChild } from '../../server/description/pointer.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { readServiceFile, type ServiceFile } from '../pipeline/service-file.ts'
import { Sources } from '../pipeline/sources.ts'
import { fromOldForm, keepForm } from './schema/current-form.ts'
import { readAll } from './schema/read-all.ts'
import type { Schema } from './schema/schema.ts'
import { SchemaReader } from './schema/schema-reader.ts'

/** A description with its files, whose schemas are read in the form in which two can be compared. */
export interface ComparedDescription extends Description {
  readonly sources: Sources
  readonly service: ServiceFile
  /** Reads a schema; what is written in the same places is read once. */
  readonly readSchema: (node: Located) => Schema
}

/** Reads a description from a file; throws, with file and line, where it cannot be compared. */
export function openCompared(file: string): ComparedDescription {
  const sources = new Sources(file)
  const description = readDescription(sources.documents)
  const { version } = description
  if (!/^3\.[012]\.\d+/.test(version)) {
    const at = sources.locationOf(sources.file, '#/openapi')
    const wanted = 'it must begin with openapi: 3.0.x, 3.1.x or 3.2.x'
    throw new DescriptionError([`${at} OpenAPI ${version} cannot be compared; ${wanted}`])
  }

  const toCurrent = version.startsWith('3.0.') ? fromOldForm : keepForm
  const schemas = new SchemaReader(sources.documents, toCurrent)
  const service = readServiceFile(file)
  const operations = description.operations.map((each) => withService(each, service))
  const readSchema = (node: Located) => schemas.read(node)
  return { ...description, operations, sources, service, readSchema }
}

/** Returns an operation with what `service.yaml` says of it. */
function withService(operation: Operation, service: ServiceFile): Operation {
  const entry = service.operations.get(operation.name) ?? {}
  const codeName = toText(entry[codeNameKey]) ?? operation.codeName
  const at = serviceLocation(service, ['operations', operation.name, 'pagination'])
  const value = entry[paginationKey]
  const isOfService = value !== undefined && at !== undefined
  const pagination = isOfService ? readPaginationRule({ ...at, value }) : operation.pagination
  return { ...operation, codeName, pagination }
}

/** Returns where `service.yaml` has what keys lead to, or what would hold it; undefined if there is no such file. */
export function serviceLocation(
  { file, pointer }: ServiceFile,
  keys: readonly string[],
): Location | undefined {
  return existsSync(file) ? { file, pointer: keys.reduce(toChild, pointer) } : undefined
}

/** Reads every schema of a description, so that each error in one is thrown. */
export function readAllSchemas(description: ComparedDescription): void {
  const { operations, webhooks, components, readSchema } = description
  const requests = [...operations, ...webhooks]
  const nodes = [
    ...requests.flatMap(schemasOfOperation),
    ...responsesOutside(description).flatMap(schemasOfResponse),
    ...(components.get('schemas')?.values() ?? []),
  ]
  // All in one pass: schemas have most of their parts in common.
  readAll(nodes.map((node) => readSchema(node)))
}

/** Returns the responses to what is no request of an operation. */
export function responsesOutside({ undeclared, malformed }: Description): readonly Response[] {
  return malformed === undefined ? undeclared : [...undeclared, malformed]
}

function schemasOfOperation(operation: Operation): readonly Located[] {
  const { parameters, body, responses, callbacks } = operation
  return [
    ...parameters.flatMap(schemasOfValue),
    ...(body?.content ?? []).flatMap(schemasOfContent),
    ...responses.flatMap(schemasOfResponse),
    ...callbacks.flatMap(schemasOfOperation),
  ]
}

function schemasOfResponse({ headers, content }: Response): readonly Located[] {
  return [...headers.flatMap(schemasOfValue), ...content.flatMap(schemasOfContent)]
}

function schemasOfValue({
  schema,
  content,
}: Pick<Response, 'content'> & { schema: Located | undefined }) {
  return [...(schema === undefined ? [] : [schema]), ...content.flatMap(schemasOfContent)]
}

function schemasOfContent({ schema, itemSchema }: MediaType): readonly Located[] {
  return [schema, itemSchema].filter((node) => node !== undefined)
}
