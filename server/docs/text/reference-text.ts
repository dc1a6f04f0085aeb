import type { Description, Operation } from '../../description/description.ts'
import { type JsonObject, toObject } from '../../description/json.ts'
import type { SecurityScheme } from '../../description/security.ts'
import { namedWebhooks } from '../../description/webhooks.ts'
import type { CodeSamples } from './code-samples.ts'
import { joinBlocks, joinWords, printTable, toCode, toText } from './markdown.ts'
import { headingOf, linkToOperation, OperationText } from './operation-text.ts'

/**
 * Returns the whole reference of a description as Markdown, with the samples of its operations for curl. `samples` are
 * undefined if they were not built.
 */
export function printReference(description: Description, samples: CodeSamples | undefined): string {
  const { operations, undeclared } = description
  const responses = [...operations.flatMap((each) => each.responses), ...undeclared]
  const text = new OperationText(description, samples)
  const webhooks = Array.from(namedWebhooks(description), ([name, webhook]) => {
    return text.webhookSectionOf(name, webhook)
  })
  const schemas = Array.from(description.components.get('schemas') ?? [], ([name, schema]) => {
    return text.schemaSectionOf(name, schema)
  })
  const blocks = joinBlocks(
    printTitle(description, toText(description.info.texts['summary'])),
    `Version ${description.apiVersion}.`,
    toText(description.info.texts['description']),
    section('Servers', printServers(description)),
    section('Credentials', printSchemes([...description.securitySchemes.values()])),
    section('Operations', printList(operations)),
    ...operations.map((operation) => text.sectionOf(operation)),
    section('Webhooks and callbacks', joinBlocks(...webhooks)),
    section('Errors', joinBlocks(text.errorsOf(responses), printMalformed(description))),
    section('Headers of responses', text.headersOf(responses)),
    section('Schemas', joinBlocks(...schemas)),
  )
  return `${blocks}\n`
}

/**
 * Returns the summary of a description for language models, with links to what says more (llmstxt.org). `mcpPath` is
 * where agents call the operations as tools, if they may.
 */
export function printOverview(description: Description, mcpPath: string | undefined): string {
  const rows = description.operations.map((operation) => {
    const heading = headingOf(operation)
    const notice = operation.deprecation.isDeprecated ? ' (deprecated)' : ''
    const summary = joinWords(toCode(operation.name), toText(operation.texts['summary']))
    return `- [${heading}](docs/index.md${linkToOperation(heading)}): ${summary}${notice}`
  })
  const summary = toText(description.info.texts['summary'])
  const [firstLine = ''] = toText(description.info.texts['description']).split('\n')
  const blocks = joinBlocks(
    printTitle(description, summary === '' ? firstLine : summary),
    `Version ${description.apiVersion}.`,
    section('Servers', printServers(description)),
    section(
      'Reference',
      [
        '- [Reference](docs/index.md): every operation with parameters, bodies, responses and errors, as Markdown',
        '- [openapi.json](openapi.json): the OpenAPI description, which requests and responses are validated by',
        '- [openapi.yaml](openapi.yaml): the same as YAML',
      ].join('\n'),
    ),
    mcpPath === undefined ? '' : section('Tools', printTools(mcpPath)),
    section('Operations', rows.join('\n')),
    section('Optional', '- [Reference page](docs): the reference for people, who send calls in it'),
  )
  return `${blocks}\n`
}

function printTools(path: string): string {
  const server = `the server of the Model Context Protocol (Streamable HTTP) at ${toCode(path)}`
  return `The operations are tools of ${server}, with the same credentials.`
}

function section(heading: string, content: string): string {
  return content === '' ? '' : `## ${heading}\n\n${content}`
}

function printTitle({ info }: Description, quoted: string): string {
  return joinBlocks(
    `# ${info.texts['title']}`,
    quoted === '' ? '' : `> ${quoted.replaceAll(/\s+/g, ' ')}`,
  )
}

function printServers({ servers }: Description): string {
  const rows = servers.map(({ url, texts, variables }) => {
    const defaults = Array.from(variables, ([name, variable]) => {
      return `${toCode(name)} is ${toCode(variable.default)} by default`
    })
    return `- ${joinWords(toCode(url), toText(texts['description']), defaults.join(', '))}`
  })
  return rows.join('\n')
}

function printSchemes(schemes: readonly SecurityScheme[]): string {
  const rows = schemes.map(({ name, form, bearerFormat, flows, texts }) => {
    const { type, ...otherFields } = form
    const fields = Object.entries({ ...otherFields, bearerFormat })
    const stated = fields.filter(([, value]) => value !== undefined)
    const kind = [type, ...stated.map(([key, value]) => `${key} ${value}`)].join(', ')
    return [toCode(name), kind, joinWords(toText(texts['description']), printScopes(flows))]
  })
  return printTable(['scheme', 'kind', 'description'], rows)
}

function printScopes(flows: JsonObject): string {
  const scopes = Object.values(flows).flatMap((flow) => {
    const { scopes: scopesOfFlow } = toObject(flow)
    return Object.entries(toObject(scopesOfFlow))
  })
  const meanings = new Map(scopes)
  const list = Array.from(meanings, ([name, meaning]) => `${toCode(name)} (${meaning})`)
  return list.length === 0 ? '' : `Scopes: ${list.join(', ')}.`
}

function printList(operations: readonly Operation[]): string {
  const rows = operations.map((operation) => {
    const heading = headingOf(operation)
    const notice = operation.deprecation.isDeprecated ? '(deprecated)' : ''
    const summary = joinWords(toText(operation.texts['summary']), notice)
    return [`[${heading}](${linkToOperation(heading)})`, toCode(operation.name), summary]
  })
  return printTable(['operation', 'request', 'summary'], rows)
}

/** Returns what the response to bytes means that are not a request of HTTP. */
function printMalformed({ malformed }: Description): string {
  const meaning = toText(malformed?.texts['description'])
  return meaning === '' ? '' : `What is not HTTP: ${meaning}`
}
