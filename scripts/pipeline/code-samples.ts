import { readFileSync } from 'node:fs'
import { hasItems } from '../../server/description/content-kind.ts'
import type { Description, Operation, Parameter } from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import { readExamples } from '../../server/description/example-values.ts'
import { idOf } from '../../server/description/operations.ts'
import { isJsonContent } from '../../server/description/parameter-form.ts'
import { type WrittenForm, writeParameter } from '../../server/description/parameter-writer.ts'
import type { SecurityScheme } from '../../server/description/security.ts'
import { servedOperations } from '../../server/description/unserved.ts'
import {
  baseUrlPlaceholder,
  type CodeSample,
  type CodeSamples,
} from '../../server/docs/text/code-samples.ts'
import { createRequestSamples, type RequestSamples } from '../../server/mock/request-samples.ts'
import { successContentOf } from './call-content.ts'
import { printCredentialsOption, schemesOfSample, variableOf } from './client-credentials.ts'
import { projectPath } from './project.ts'
import { quote, type SampleBody, sampleBody, toLiteral } from './sample-bodies.ts'
import { sentCredentials } from './sent-credentials.ts'

/** A parameter with an example of the description. */
interface Value {
  readonly name: string
  /** `path`, `query`, `header` or `cookie`. */
  readonly location: string
  readonly form: WrittenForm
  readonly value: unknown
}

/**
 * Returns the samples of each operation that is served: with the project's own client, and with curl. What shows them
 * writes the URL of the API into them.
 */
export function codeSamples(description: Description): CodeSamples {
  const made = createRequestSamples(description.documents)
  const packageName = readClientName()
  const samples = servedOperations(description).map((operation) => {
    return [idOf(operation), samplesOf(description, operation, packageName, made)] as const
  })
  return Object.fromEntries(samples)
}

function samplesOf(
  description: Description,
  operation: Operation,
  packageName: string,
  made: RequestSamples,
): readonly CodeSample[] {
  const { documents } = description
  const values = readValues(operation, documents)
  const body = sampleBody(operation.body, documents, made)
  const source = clientSample(packageName, description, operation, values, body)
  return [
    { lang: 'JavaScript', label: packageName, source },
    { lang: 'curl', label: 'curl', source: curlSample(description, operation, values, body) },
  ]
}

/** Returns the name of the client's package, which `init` changes while this module is loaded. */
function readClientName(): string {
  const manifest: { readonly name: string } = JSON.parse(
    readFileSync(projectPath('client/package.json'), 'utf8'),
  )
  return manifest.name
}

/** Returns the required parameters, and those of the query except a cursor, if they have examples. */
function readValues(operation: Operation, documents: Documents): readonly Value[] {
  const { parameters, pagination } = operation
  const isShown = ({ isRequired, location, name }: Parameter) =>
    isRequired || (location === 'query' && name !== pagination?.cursorParam)
  const shownParameters = parameters.filter(isShown).map((parameter) => {
    const { name, location } = parameter
    const form = { ...parameter.form, name, location, isJson: isJsonContent(parameter) }
    const [media] = parameter.content
    return { name, location, form, examples: media?.examples ?? parameter.examples }
  })
  return shownParameters.flatMap(({ name, location, form, examples }) => {
    const [value] = readExamples(examples, documents).values()
    const isShownValue = value !== undefined && isWritable(form, value)
    return isShownValue ? [{ name, location, form, value }] : []
  })
}

/** Returns whether an example can be sent: an item of a header field, for one, cannot have a comma. */
function isWritable(form: WrittenForm, value: unknown): boolean {
  try {
    writeParameter(form, value)
    return true
  } catch {
    return false
  }
}

function clientSample(
  packageName: string,
  description: Description,
  operation: Operation,
  values: readonly Value[],
  body: SampleBody | undefined,
): string {
  // The package my-store-client exports createMyStore.
  const words = packageName.replace(/-client$/, '').split('-')
  const capitalized = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const factory = `create${capitalized.join('')}`
  const call = `client.${idOf(operation)}(${clientArguments(operation, values, body).join(', ')})`
  const fileImport = body?.readsFile === true ? "import { openAsBlob } from 'node:fs'\n" : ''
  return `${fileImport}import { ${factory} } from '${packageName}'

const client = ${factory}({
  baseUrl: '${baseUrlPlaceholder}',
  ${printCredentialsOption(description, operation)},
})

${printStatements(operation, call)}
`
}

/** Returns the code that uses the result of a call: a list, a stream of items, or one value. */
function printStatements(operation: Operation, call: string): string {
  if (operation.pagination !== undefined) {
    return `// One page; page.next is the query that requests the next one.
const page = await ${call}
console.log(page)

// Every page, requested as it is needed.
${printLoop(call)}`
  }
  return isStream(operation) ? printLoop(call) : printCall(call)
}

/** Returns the code that iterates over the result of a call. */
function printLoop(call: string): string {
  return `for await (const item of ${call}) {
  console.log(item)
}`
}

function printCall(call: string): string {
  return `const response = await ${call}
console.log(response)`
}

/** Returns whether the success of an operation is a stream of items. */
function isStream(operation: Operation): boolean {
  const content = successContentOf(operation)
  return content !== undefined && hasItems(content.media.name)
}

/** Path parameters come first, then the body, the query, and other options. */
function clientArguments(
  { path }: Operation,
  values: readonly Value[],
  body: SampleBody | undefined,
): string[] {
  const inLocation = (where: string) => values.filter(({ location }) => location === where)
  const toArgument = (some: readonly Value[]) =>
    toLiteral(Object.fromEntries(some.map(({ name, value }) => [name, value])))
  const query = inLocation('query')
  const kinds = [
    ['headers', inLocation('header')] as const,
    ['cookies', inLocation('cookie')] as const,
  ]
  const options = kinds.flatMap(([option, some]) => {
    return some.length === 0 ? [] : [`${option}: ${toArgument(some)}`]
  })
  return [
    ...Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, template]) => {
      return toLiteral(inLocation('path').find(({ name }) => name === template)?.value ?? template)
    }),
    ...(body === undefined ? [] : [body.argument]),
    ...(query.length > 0 ? [toArgument(query)] : []),
    ...(options.length > 0 ? [`{ ${options.join(', ')} }`] : []),
  ]
}

function curlSample(
  description: Description,
  operation: Operation,
  values: readonly Value[],
  body: SampleBody | undefined,
): string {
  const { method, path } = operation
  const schemes = schemesOfSample(description, operation)
  const credentials = schemes.flatMap(toCredentialOptions)
  const options = [...credentials, ...values.flatMap(toCurlOptions), ...(body?.options ?? [])]

  const query = toQueryString(values)
  const url = baseUrlPlaceholder + fillPath(path, values) + query
  const keys = schemes.flatMap(toQueryKeys).join('&')
  const separator = query === '' ? '?' : '&'
  // Without -N, curl shows the items of a stream later.
  const streaming = isStream(operation) ? '-N ' : ''
  const command = `curl ${streaming}-X ${method} ${quote(url)}${keys === '' ? '' : `"${separator}${keys}"`}`
  return `${[command, ...options].join(' \\\n  ')}\n`
}

/** Returns the options of curl that send the credentials of a scheme, which the shell reads from a variable. */
function toCredentialOptions(scheme: SecurityScheme): readonly string[] {
  const credentials = sentCredentials(scheme)
  const variable = `$${variableOf(scheme)}`
  switch (credentials?.in) {
    case 'bearer':
      return [`-H "Authorization: Bearer ${variable}"`]
    case 'basic':
      return [`-u "me:${variable}"`]
    case 'header':
      return [`-H "${credentials.name}: ${variable}"`]
    case 'cookie':
      return [`-b "${credentials.name}=${variable}"`]
    default:
      return []
  }
}

/** Returns the query parameter with the key of a scheme that is sent in the query. */
function toQueryKeys(scheme: SecurityScheme): readonly string[] {
  const credentials = sentCredentials(scheme)
  if (credentials?.in !== 'query') {
    return []
  }
  return [`${encodeURIComponent(credentials.name)}=$${variableOf(scheme)}`]
}

/** Returns the options of curl that send a header or a cookie. */
function toCurlOptions({ name, location, form, value }: Value): readonly string[] {
  if (location === 'header') {
    return [`-H ${quote(`${name}: ${writeParameter(form, value)}`)}`]
  }
  return location === 'cookie' ? [`-b ${quote(writeParameter(form, value))}`] : []
}

function fillPath(template: string, values: readonly Value[]): string {
  const inPath = values.filter(({ location }) => location === 'path')
  return inPath.reduce((path, { name, form, value }) => {
    return path.replace(`{${name}}`, () => writeParameter(form, value))
  }, template)
}

/** Returns the query of a URL with its question mark, or nothing. */
function toQueryString(values: readonly Value[]): string {
  const pairs = values.flatMap(({ location, form, value }) => {
    return location === 'query' ? [writeParameter(form, value)] : []
  })
  const query = pairs.filter((pair) => pair !== '').join('&')
  return query === '' ? '' : `?${query}`
}
