import { existsSync } from 'node:fs'
import {
  BaseResolver,
  bundle,
  createConfig,
  type Document,
  getLineColLocation,
  type NormalizedProblem,
  YamlParseError,
} from '@redocly/openapi-core'
import { LineCounter, Parser } from 'yaml'
import { type JsonObject, toObject } from './description.ts'
import { DescriptionError, UsageError } from './failure.ts'
import { shortPath } from './project.ts'
import { findCircularReferences } from './references.ts'

/** A description whose first file could be read, and the resolver that reads the others. */
export interface OpenedDescription {
  readonly file: string
  readonly document: Document
  readonly resolver: BaseResolver
}

/** Reads a description's first file and refuses what is not OpenAPI 3.0 or 3.1. */
export async function openDescription(file: string): Promise<OpenedDescription> {
  if (!existsSync(file)) throw new UsageError(`there is no file ${shortPath(file)}`)
  const resolver = new BaseResolver()
  const document = await resolver.resolveDocument(null, file, true).catch(toError)
  if (document instanceof Error) return refuse(file, document)
  refuseOtherVersions(file, document.parsed)
  return { file, document, resolver }
}

/** Pulls everything that a description refers to in other files into one document. */
export async function bundleDescription(description: OpenedDescription): Promise<JsonObject> {
  const { document: doc, resolver: externalRefResolver } = description
  const config = await createConfig({}, { extends: [] })
  const bundling = bundle({ doc, config, externalRefResolver })
  const { bundle: bundled, problems } = await bundling.catch(async (error: unknown) => {
    // The bundler does not report where a circular reference is.
    const places = await findCircularReferences(doc, externalRefResolver)
    if (places.length === 0) throw error
    throw new DescriptionError(
      places.map((place) => `${place} no-circular-refs The reference leads back to itself.`),
    )
  })
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new DescriptionError(errors.map(toLine))
  return toObject(bundled.parsed)
}

function refuse(file: string, error: Error): never {
  if (!(error instanceof YamlParseError)) {
    throw new UsageError(`${shortPath(file)} cannot be read: ${error.message}`)
  }
  // The message goes on with the name and the position, which stand in front already.
  const [reason] = error.originalError.message.split(' in "')
  const { line, col } = Number.isNaN(error.line) ? secondDocument(error.source.body) : error
  throw new DescriptionError([`${shortPath(file)}:${line}:${col} syntax ${reason}`])
}

// The parser reports no position for this error.
function secondDocument(text: string): { readonly line: number; readonly col: number } {
  const lineCounter = new LineCounter()
  const documents = [...new Parser(lineCounter.addNewLine).parse(text)]
  const [, second] = documents.filter(({ type }) => type === 'document')
  return lineCounter.linePos(second?.offset ?? 0)
}

function refuseOtherVersions(file: string, parsed: unknown): void {
  const { openapi, swagger } = toObject(parsed)
  const wanted = 'it must begin with openapi: 3.0.x or 3.1.x'
  if (typeof openapi === 'string' && /^3\.[01]\.\d+/.test(openapi)) return
  throw new DescriptionError([
    openapi === undefined && swagger === undefined
      ? `${shortPath(file)} is not an OpenAPI description; ${wanted}`
      : `${shortPath(file)} is OpenAPI ${openapi ?? swagger}; ${wanted}`,
  ])
}

function toLine({ ruleId, message, location: [place] }: NormalizedProblem): string {
  if (place === undefined) return `${ruleId} ${message}`
  const { source, start } = getLineColLocation(place)
  return `${shortPath(source.absoluteRef)}:${start.line}:${start.col} ${ruleId} ${message}`
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
