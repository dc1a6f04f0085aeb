import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import type { Description, Operation, Parameter } from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import type { JsonObject } from '../../server/description/json.ts'
import { idOf } from '../../server/description/operations.ts'
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
  /** `path`, `query`, `header` or `body`. */
  readonly location: unknown
  /** What separates the items of an array in one text; undefined where each has a parameter of its own. */
  readonly separator: string | undefined
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
  const { parameters, paginatedBy, body } = operation
  const isShown = ({ isRequired, location, name }: Parameter) =>
    isRequired || (location === 'query' && name !== paginatedBy?.value)
  const shown = parameters.filter(isShown).map((parameter) => {
    return { ...parameter, separator: separatorOf(parameter) }
  })
  const content = body?.content.slice(0, 1).map((media) => {
    return { ...media, location: 'body', separator: undefined }
  })
  return [...shown, ...(content ?? [])].flatMap(({ name, location, separator, examples }) => {
    const [[, value] = []] = examplesOf({ examples }, documents)
    return value === undefined ? [] : [{ name, location, separator, value }]
  })
}

/** The separators of the items of an array, by the style of its parameter. */
const separators: Readonly<Record<string, string>> = {
  form: ',',
  simple: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
}

function separatorOf({ form }: Parameter): string | undefined {
  return form.explode ? undefined : separators[form.style]
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
  const isPaged = operation.paginatedBy !== undefined
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
  const headers = inLocation('header')
  return [
    ...Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, template]) => {
      return toLiteral(inLocation('path').find(({ name }) => name === template)?.value ?? template)
    }),
    ...inLocation('body').map(({ value }) => toLiteral(value)),
    ...(query.length > 0 ? [toArgument(query)] : []),
    ...(headers.length > 0 ? [`{ headers: ${toArgument(headers)} }`] : []),
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

/** Returns the options of curl that send a header or a body. */
function toCurlOptions({ name, location, value }: Value): readonly string[] {
  if (location === 'header') {
    return [`-H ${quote(`${name}: ${toWord(value)}`)}`]
  }
  if (location !== 'body') {
    return []
  }

  return [`-H ${quote(`Content-Type: ${name}`)}`, `-d ${quote(JSON.stringify(value))}`]
}

function fillPath(template: string, values: readonly Value[]): string {
  const inPath = values.filter(({ location }) => location === 'path')
  return inPath.reduce(
    (path, { name, value }) => path.replace(`{${name}}`, encodeURIComponent(toWord(value))),
    template,
  )
}

/** Returns the query of a URL with its question mark, or nothing. */
function toQueryString(values: readonly Value[]): string {
  const query = new URLSearchParams()

  for (const { name, separator, value } of values.filter(({ location }) => location === 'query')) {
    const words = [value].flat().map(toWord)
    const texts = separator === undefined ? words : [words.join(separator)]
    for (const text of texts) {
      query.append(name, text)
    }
  }

  // A comma that separates items is not encoded.
  return query.size > 0 ? `?${query}`.replaceAll('%2C', ',') : ''
}

function toWord(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map(toWord).join(',')
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Returns the first server URL with a host, or the base path. */
function baseUrlOf({ servers }: Description): string {
  const urls = servers.map(({ defaultUrl }) => defaultUrl)
  return urls.find((url) => /^https?:/.test(url)) ?? basePathOf(urls[0] ?? '')
}
