import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import type { Description, Operation, Parameter } from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import type { JsonObject } from '../../server/description/json.ts'
import { idOf } from '../../server/description/operations.ts'
import { isJsonContent } from '../../server/description/parameter-form.ts'
import { type WrittenForm, writeParameter } from '../../server/description/parameter-writer.ts'
import type { SecurityScheme } from '../../server/description/security.ts'
import { basePathOf } from '../../server/description/servers.ts'
import { printCredentialsOption, schemesOfSample, variableOf } from './client-credentials.ts'
import { examplesOf } from './examples.ts'
import { projectPath } from './project.ts'
import { sentCredentials } from './sent-credentials.ts'

const client: { readonly name: string } = JSON.parse(
  readFileSync(projectPath('client/package.json'), 'utf8'),
)

/** The languages of the samples, in the order in which the reference page offers them. */
export const sampleLanguages = [
  { lang: 'JavaScript', label: client.name },
  { lang: 'curl', label: 'curl' },
] as const

/** A parameter, or a body, with an example of the description. */
interface Value {
  readonly name: string
  /** `path`, `query`, `header`, `cookie` or `body`. */
  readonly location: string
  /** How a parameter is written; undefined for a body. */
  readonly form: WrittenForm | undefined
  readonly value: unknown
}

/** Returns the samples of an operation: with the project's own client, and with curl. */
export function codeSamples(description: Description, operation: Operation): readonly JsonObject[] {
  const values = readValues(operation, description.documents)
  const [own, curl] = sampleLanguages
  return [
    { ...own, source: clientSample(description, operation, values) },
    { ...curl, source: curlSample(description, operation, values) },
  ]
}

/** Returns the required parameters, those of the query except a cursor, and the body, if they have examples. */
function readValues(operation: Operation, documents: Documents): readonly Value[] {
  const { parameters, pagination, body } = operation
  const isShown = ({ isRequired, location, name }: Parameter) =>
    isRequired || (location === 'query' && name !== pagination?.cursorParam)
  const shown = parameters.filter(isShown).map((parameter) => {
    const { name, location } = parameter
    const form = { ...parameter.form, name, location, isJson: isJsonContent(parameter) }
    const [media] = parameter.content
    return { name, location, form, examples: media?.examples ?? parameter.examples }
  })
  const content = body?.content.slice(0, 1).map(({ name, examples }) => {
    return { name, location: 'body', form: undefined, examples }
  })
  return [...shown, ...(content ?? [])].flatMap(({ name, location, form, examples }) => {
    const [[, value] = []] = examplesOf({ examples }, documents)
    const isShownValue = value !== undefined && (form === undefined || isWritable(form, value))
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
  description: Description,
  operation: Operation,
  values: readonly Value[],
): string {
  // The package my-store-client exports createMyStore.
  const words = client.name.replace(/-client$/, '').split('-')
  const factory = `create${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`
  const text = `client.${idOf(operation)}(${clientArguments(operation, values).join(', ')})`
  const isPaged = operation.pagination !== undefined
  const sent = isPaged
    ? `// One page; page.next is the query that requests the next one.
const page = await ${text}
console.log(page)

// Every page, requested as it is needed.
for await (const item of ${text}) {
  console.log(item)
}`
    : `const response = await ${text}
console.log(response)`
  return `import { ${factory} } from '${client.name}'

const client = ${factory}({
  baseUrl: '${baseUrlOf(description)}',
  ${printCredentialsOption(description, operation)},
})

${sent}
`
}

/** Path parameters come first, then the body, the query, and other options. */
function clientArguments({ path }: Operation, values: readonly Value[]): string[] {
  const inLocation = (where: string) => values.filter(({ location }) => location === where)
  // The page shows about 60 columns, and the call is in front.
  const toLiteral = (value: unknown) =>
    inspect(value, { depth: null, breakLength: 40, maxArrayLength: null, maxStringLength: null })
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
    ...inLocation('body').map(({ value }) => toLiteral(value)),
    ...(query.length > 0 ? [toArgument(query)] : []),
    ...(options.length > 0 ? [`{ ${options.join(', ')} }`] : []),
  ]
}

function curlSample(
  description: Description,
  operation: Operation,
  values: readonly Value[],
): string {
  const { method, path } = operation
  const schemes = schemesOfSample(description, operation)
  const credentials = schemes.flatMap(toCredentialOptions)
  const options = [...credentials, ...values.flatMap(toCurlOptions)]

  const query = toQueryString(values)
  const url = baseUrlOf(description) + fillPath(path, values) + query
  const keys = schemes.flatMap(toQueryKeys).join('&')
  const separator = query === '' ? '?' : '&'
  const command = `curl -X ${method} ${quote(url)}${keys === '' ? '' : `"${separator}${keys}"`}`
  return `${[command, ...options].join(' \\\n  ')}\n`
}

/** Returns the options of curl that send the credentials of a scheme, which the shell reads from a variable. */
function toCredentialOptions(scheme: SecurityScheme): readonly string[] {
  const sent = sentCredentials(scheme)
  const variable = `$${variableOf(scheme)}`
  switch (sent?.in) {
    case 'bearer':
      return [`-H "Authorization: Bearer ${variable}"`]
    case 'basic':
      return [`-u "me:${variable}"`]
    case 'header':
      return [`-H "${sent.name}: ${variable}"`]
    case 'cookie':
      return [`-b "${sent.name}=${variable}"`]
    default:
      return []
  }
}

/** Returns the query parameter with the key of a scheme that is sent in the query. */
function toQueryKeys(scheme: SecurityScheme): readonly string[] {
  const sent = sentCredentials(scheme)
  return sent?.in === 'query' ? [`${encodeURIComponent(sent.name)}=$${variableOf(scheme)}`] : []
}

/** Returns the options of curl that send a header, a cookie or a body. */
function toCurlOptions({ name, location, form, value }: Value): readonly string[] {
  if (form !== undefined && location === 'header') {
    return [`-H ${quote(`${name}: ${writeParameter(form, value)}`)}`]
  }
  if (form !== undefined && location === 'cookie') {
    return [`-b ${quote(writeParameter(form, value))}`]
  }
  if (location !== 'body') {
    return []
  }

  return [`-H ${quote(`Content-Type: ${name}`)}`, `-d ${quote(JSON.stringify(value))}`]
}

function fillPath(template: string, values: readonly Value[]): string {
  const inPath = values.filter(({ location }) => location === 'path')
  return inPath.reduce((path, { name, form, value }) => {
    const text = form === undefined ? '' : writeParameter(form, value)
    return path.replace(`{${name}}`, () => text)
  }, template)
}

/** Returns the query of a URL with its question mark, or nothing. */
function toQueryString(values: readonly Value[]): string {
  const pairs = values.flatMap(({ location, form, value }) => {
    return form === undefined || location !== 'query' ? [] : [writeParameter(form, value)]
  })
  const query = pairs.filter((pair) => pair !== '').join('&')
  return query === '' ? '' : `?${query}`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Returns the first server URL with a host, or the base path. */
function baseUrlOf({ servers }: Description): string {
  const urls = servers.map(({ defaultUrl }) => defaultUrl)
  return urls.find((url) => /^https?:/.test(url)) ?? basePathOf(urls[0] ?? '')
}
