import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { type JsonObject, toList, toObject } from '../../server/description/json.ts'
import { basePathOf, readServerUrl } from '../../server/description/servers.ts'
import { dereference } from './description.ts'
import { examplesOf } from './examples.ts'
import { type OperationEntry, parametersOf } from './operation-entries.ts'
import { projectPath } from './project.ts'

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
export function codeSamples(root: JsonObject, entry: OperationEntry): readonly JsonObject[] {
  const values = readValues(root, entry)
  const [own, curl] = sampleLanguages
  return [
    { ...own, source: clientSample(root, entry, values) },
    { ...curl, source: curlSample(root, entry, values) },
  ]
}

/** Returns the required parameters, those of the query except a cursor, and the body, if they have examples. */
function readValues(root: JsonObject, entry: OperationEntry): readonly Value[] {
  const { operation } = entry
  const parameters = parametersOf(root, entry).filter(({ in: where, required, name }) => {
    return required === true || (where === 'query' && name !== operation['x-paginated-by'])
  })
  const { content } = dereference(root, operation['requestBody'])
  const [[mediaType, body] = []] = Object.entries(toObject(content))
  const all = [...parameters, { ...toObject(body), name: mediaType, in: 'body' }]
  return all.flatMap((holder: JsonObject) => {
    const [[, value] = []] = examplesOf(root, holder)
    if (value === undefined) return []
    const { name, in: where } = holder
    return [{ name: String(name), location: where, separator: separatorOf(holder), value }]
  })
}

/** The separators of the items of an array, by the style of its parameter. */
const separators: Readonly<Record<string, string>> = {
  form: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
}

function separatorOf({ style = 'form', explode = style === 'form' }: JsonObject) {
  return explode === true ? undefined : separators[String(style)]
}

function clientSample(root: JsonObject, entry: OperationEntry, values: readonly Value[]): string {
  // The package my-store-client exports createMyStore.
  const words = client.name.replace(/-client$/, '').split('-')
  const factory = `create${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`
  const text = `client.${entry.name}(${clientArguments(entry, values).join(', ')})`
  const isPaged = entry.operation['x-paginated-by'] !== undefined
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
  baseUrl: '${baseUrlOf(root)}',
  apiKey: process.env['KEY'] ?? '',
})

${sent}
`
}

/** Path parameters come first, then the body, the query, and other options. */
function clientArguments({ path }: OperationEntry, values: readonly Value[]): string[] {
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

function curlSample(root: JsonObject, entry: OperationEntry, values: readonly Value[]): string {
  const { method, path, operation } = entry
  const credentials = isPublic(root, operation) ? [] : ['-H "Authorization: Bearer $KEY"']
  const options = [...credentials, ...values.flatMap(toCurlOptions)]

  const url = baseUrlOf(root) + fillPath(path, values) + toQueryString(values)
  const command = `curl -X ${method.toUpperCase()} ${quote(url)}`
  return `${[command, ...options].join(' \\\n  ')}\n`
}

/** Returns the options of curl that send a header or a body. */
function toCurlOptions({ name, location, value }: Value): readonly string[] {
  if (location === 'header') return [`-H ${quote(`${name}: ${toWord(value)}`)}`]
  if (location !== 'body') return []

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
    for (const text of texts) query.append(name, text)
  }

  // A comma that separates items is not encoded.
  return query.size > 0 ? `?${query}`.replaceAll('%2C', ',') : ''
}

function toWord(value: unknown): string {
  if (Array.isArray(value)) return value.map(toWord).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function isPublic(root: JsonObject, operation: JsonObject): boolean {
  const alternatives = toList(operation['security'] ?? root['security'])
  return alternatives.every((alternative) => Object.keys(toObject(alternative)).length === 0)
}

/** Returns the first server URL with a host, or the base path. */
function baseUrlOf(root: JsonObject): string {
  const servers = toList(root['servers'])
  return servers.map(readServerUrl).find((url) => /^https?:/.test(url)) ?? basePathOf(servers[0])
}
