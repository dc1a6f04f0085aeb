import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import {
  BaseResolver,
  bundle,
  createConfig,
  type Document,
  getLineColLocation,
  type NormalizedProblem,
  YamlParseError,
} from '@redocly/openapi-core'
import { isNode, type Node, toNode } from './description.ts'
import { DescriptionError, UsageError } from './failure.ts'

/** Reads a description and pulls everything it refers to in other files into one document. */
export async function bundleDescription(spec: string): Promise<Node> {
  if (!existsSync(spec)) throw new UsageError(`there is no file ${shorten(spec)}`)
  const config = await createConfig({}, { extends: [] })
  const externalRefResolver = new BaseResolver(config.resolve)
  const doc = await read(spec, externalRefResolver)
  const { bundle: bundled, problems } = await bundle({ doc, config, externalRefResolver })
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new DescriptionError(errors.map(toLine))
  return toNode(bundled.parsed)
}

async function read(spec: string, resolver: BaseResolver): Promise<Document> {
  const doc = await resolver.resolveDocument(null, spec, true)
  if (doc instanceof YamlParseError) {
    throw new DescriptionError([`${shorten(spec)}:${doc.line}:${doc.col} syntax ${reason(doc)}`])
  }
  if (doc instanceof Error) throw new DescriptionError([`${shorten(spec)}: ${doc.message}`])
  refuseOtherVersions(spec, doc.parsed)
  return doc
}

function refuseOtherVersions(spec: string, parsed: unknown): void {
  if (!isNode(parsed)) throw new DescriptionError([`${shorten(spec)}: not an OpenAPI description`])
  const version = parsed['openapi'] ?? parsed['swagger']
  if (typeof parsed['openapi'] === 'string' && /^3\.[01]\.\d+/.test(parsed['openapi'])) return
  throw new DescriptionError([
    version === undefined
      ? `${shorten(spec)}: not an OpenAPI description; it must begin with openapi: 3.0.x or 3.1.x`
      : `${shorten(spec)}: OpenAPI ${version} is not supported; it must be 3.0.x or 3.1.x`,
  ])
}

function toLine({ ruleId, message, location: [place] }: NormalizedProblem): string {
  if (place === undefined) return `${ruleId} ${message}`
  const { source, start } = getLineColLocation(place)
  return `${shorten(source.absoluteRef)}:${start.line}:${start.col} ${ruleId} ${message}`
}

function reason(error: YamlParseError): string {
  return error.originalError.message.split('\n')[0] ?? ''
}

function shorten(file: string): string {
  return relative(process.cwd(), file)
}
