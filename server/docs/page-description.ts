import type { Description, MediaType, Operation } from '../description/description.ts'
import { readDescription } from '../description/description-reader.ts'
import { type Documents, toDocuments } from '../description/documents.ts'
import { type JsonObject, toObject } from '../description/json.ts'
import { editNodes, type NodeKind } from '../description/nodes.ts'
import { normalise } from '../description/normalise.ts'
import { idOf } from '../description/operations.ts'
import { itemSchemaOf, streamItemsOf } from '../description/stream-items.ts'
import { servedOperations } from '../description/unserved.ts'
import { createRequestSamples } from '../mock/request-samples.ts'
import { prepareForm } from './form-examples.ts'
import type { CodeSamples } from './text/code-samples.ts'
import { deprecationNotice, deprecationOf } from './text/deprecation-notice.ts'

/** The objects whose deprecation is written into their descriptions. */
const deprecatable: readonly NodeKind[] = ['operation', 'parameter', 'header', 'schema']

/** Schemes whose tokens a reader enters: the page may not open the forms of an identity provider. */
const tokenTypes: readonly unknown[] = ['oauth2', 'openIdConnect']

/**
 * Returns a description as the reference page shows it: in OpenAPI 3.1 or later, with deprecations in words, code
 * samples, and without what would make the page send requests that it may not send, or that are invalid. `samples`
 * are undefined if they were not built.
 */
export function describeForPage(served: JsonObject, samples: CodeSamples | undefined): JsonObject {
  const written = structuredClone(normalise(served))
  const pageDescription = toObject(editNodes(written, 'document', prepareNode))
  const model = readDescription(toDocuments(pageDescription))
  Object.assign(toObject(pageDescription['info']), { description: introductionOf(model) })
  const made = createRequestSamples(model.documents)
  for (const operation of servedOperations(model)) {
    const writtenOperation = toObject(model.documents.at(operation.at).value)
    Object.assign(writtenOperation, { 'x-codeSamples': samples?.[idOf(operation)] ?? [] })
    openChoices(operation, model)
    removeExamples(operation, model)
    for (const media of operation.body?.content ?? []) {
      prepareForm(media, model.documents, made)
    }
    for (const media of operation.responses.flatMap(({ content }) => content)) {
      describeItems(media, model.documents)
    }
  }
  return pageDescription
}

function prepareNode(node: JsonObject, kind: NodeKind): JsonObject {
  if (kind === 'pathItem') {
    return withoutServers(node)
  }
  if (kind === 'components') {
    const schemes = Object.entries(toObject(node['securitySchemes'])).map(
      ([name, scheme]) => [name, takeToken(toObject(scheme))] as const,
    )
    return { ...node, securitySchemes: Object.fromEntries(schemes) }
  }
  const sized = kind === 'schema' || kind === 'requestBody' ? withSize(node) : node
  if (!deprecatable.includes(kind)) {
    return sized
  }

  const notice = deprecationNotice(deprecationOf(sized), (id) => `#operation/${id}`)
  const described = notice === '' ? sized : withText(sized, notice)
  return kind === 'operation' ? withoutServers(described) : described
}

function withText(node: JsonObject, notice: string): JsonObject {
  return { ...node, description: joinParagraphs(notice, node['description']) }
}

/** Returns a body, or the schema of a file, that says how large it may be. */
function withSize(node: JsonObject): JsonObject {
  const { 'x-max-bytes': maxBytes } = node
  if (typeof maxBytes !== 'number') {
    return node
  }
  return { ...node, description: joinParagraphs(node['description'], `At most ${maxBytes} bytes.`) }
}

/** Describes the content of a stream as a list of its items, whose data is an object where it is sent as JSON. */
function describeItems(media: MediaType, documents: Documents): void {
  const items = streamItemsOf(media, documents)
  if (items?.schema === undefined) {
    return
  }
  const written = toObject(documents.at(media.at).value)
  Reflect.deleteProperty(written, 'itemSchema')
  Reflect.deleteProperty(written, 'x-item-schema')
  Object.assign(written, { schema: { type: 'array', items: itemSchemaOf(items, documents) } })
}

/** Returns a path item or an operation without servers of its own: requests go to the service of the page. */
function withoutServers(node: JsonObject): JsonObject {
  const { servers: _, ...otherFields } = node
  return otherFields
}

function takeToken(scheme: JsonObject): JsonObject {
  if (!tokenTypes.includes(scheme['type'])) {
    return scheme
  }
  const { flows: _flows, openIdConnectUrl: _url, ...otherFields } = scheme
  return { ...otherFields, type: 'http', scheme: 'bearer' }
}

/**
 * Removes the examples of the schemas of parameters, of which the form would make a list to choose from. The first
 * one becomes the example of a parameter that has none.
 */
function openChoices({ parameters }: Operation, { documents }: Description): void {
  for (const { schema, at } of parameters) {
    const { $ref, ...beside } = toObject(schema?.value)
    const isReference = $ref !== undefined
    // Both apply where something stands beside a reference.
    if (schema === undefined || (isReference && Object.keys(beside).length > 0)) {
      continue
    }
    const { examples, ...otherKeywords } = toObject(documents.tryTarget(schema).value)
    if (!Array.isArray(examples)) {
      continue
    }
    const written = toObject(documents.at(at).value)
    const hasExample = 'example' in written || 'examples' in written
    Object.assign(written, { schema: otherKeywords }, hasExample ? {} : { example: examples[0] })
  }
}

/**
 * Removes the examples that the form would send in vain: that of a cursor is not valid, and optional header
 * fields, such as an idempotency key, are for the reader to choose.
 */
function removeExamples({ parameters, pagination }: Operation, { documents }: Description): void {
  for (const { name, location, isRequired, at } of parameters) {
    const isForReader = !isRequired && location !== 'query'
    if (!isForReader && name !== pagination?.cursorParam) {
      continue
    }
    const written = toObject(documents.at(at).value)
    Reflect.deleteProperty(written, 'example')
    Reflect.deleteProperty(written, 'examples')
  }
}

/** Returns the text above the operations: what the API says of itself, its other servers, and its other forms. */
function introductionOf({ info, servers }: Description): string {
  const remote = servers.filter(({ defaultUrl }) => /^https?:/.test(defaultUrl))
  const rows = remote.map(({ defaultUrl, texts }) => {
    const description = texts['description'] === undefined ? '' : `: ${texts['description']}`
    return `- \`${defaultUrl}\`${description}`
  })
  const list =
    rows.length === 0
      ? []
      : [
          '**Servers.** This page sends its calls to the service that it comes from.',
          rows.join('\n'),
        ]
  const forms =
    'This reference as text: [Markdown](docs/index.md), [openapi.json](openapi.json), [openapi.yaml](openapi.yaml).'
  return joinParagraphs(info.texts['summary'], info.texts['description'], ...list, forms)
}

function joinParagraphs(...texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n\n')
}
