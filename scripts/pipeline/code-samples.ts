import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import {
  dereference,
  type JsonObject,
  readBasePath,
  readServerUrl,
  toList,
  toObject,
} from './description.ts'
import { examplesOf } from './examples.ts'
import type { Json } from './literal.ts'
import type { Place } from './operation-places.ts'
import { projectPath } from './project.ts'

const client: { readonly name: string } = JSON.parse(
  readFileSync(projectPath('client/package.json'), 'utf8'),
)

/** The languages of the samples, in the order in which the reference page offers them. */
export const sampleLanguages = [
  { lang: 'JavaScript', label: client.name },
  { lang: 'curl', label: 'curl' },
] as const

/** The values of a call, taken from the examples of the description. */
interface Call {
  readonly parameters: readonly Parameter[]
  readonly body?: { readonly mediaType: string; readonly value: Json }
}

interface Parameter {
  readonly name: string
  readonly place: unknown
  /** Whether each value of a list is sent as a parameter of its own. */
  readonly explode: boolean
  readonly value: Json
}

/** Reads from the examples of a description how an operation can be called. */
function readCall(root: JsonObject, { pathItem, operation }: Place): Call {
  const listed = [...toList(pathItem['parameters']), ...toList(operation['parameters'])]
  const parameters = listed.flatMap((value) => {
    const parameter = dereference(root, value)
    const { name, in: place, required, explode } = parameter
    // A cursor is known only from the page before.
    const isWanted =
      required === true || (place === 'query' && name !== operation['x-paginated-by'])
    const example = readExample(root, parameter)
    if (!isWanted || example === undefined) return []
    const isExploded = place === 'query' && explode !== false
    return [{ name: String(name), place, explode: isExploded, value: example }]
  })
  const { content } = dereference(root, operation['requestBody'])
  const [[mediaType, media] = []] = Object.entries(toObject(content))
  const value = readExample(root, toObject(media))
  if (mediaType === undefined || value === undefined) return { parameters }
  return { parameters, body: { mediaType, value } }
}

function readExample(root: JsonObject, holder: JsonObject): Json | undefined {
  return examplesOf(root, holder)[0]?.[1]
}

/** Returns the samples of an operation: with the project's own client, and with curl. */
export function codeSamples(root: JsonObject, place: Place): readonly JsonObject[] {
  const call = readCall(root, place)
  const [own, curl] = sampleLanguages
  return [
    { ...own, source: clientSample(root, place, call) },
    { ...curl, source: curlSample(root, place, call) },
  ]
}

function clientSample(root: JsonObject, place: Place, call: Call): string {
  // The package my-store-client exports createMyStore.
  const words = client.name.replace(/-client$/, '').split('-')
  const factory = `create${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`
  const text = `client.${place.name}(${clientArguments(root, place, call).join(', ')})`
  const isPaged = place.operation['x-paginated-by'] !== undefined
  const sent = isPaged
    ? `// One page; page.next() requests the next one.
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
function clientArguments(root: JsonObject, place: Place, { parameters, body }: Call): string[] {
  const inPlace = (where: string) => parameters.filter((parameter) => parameter.place === where)
  // The page shows about 60 columns, and the call is in front.
  const toLiteral = (value: unknown) =>
    inspect(value, { depth: null, breakLength: 40, maxArrayLength: null, maxStringLength: null })
  const toArgument = (values: readonly Parameter[]) =>
    toLiteral(Object.fromEntries(values.map(({ name, value }) => [name, value])))
  const names = Array.from(place.path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name)
  const path = names.map((name) => inPlace('path').find((parameter) => parameter.name === name))
  const [query, headers] = [inPlace('query'), inPlace('header')]
  const all = [...toList(place.pathItem['parameters']), ...toList(place.operation['parameters'])]
  const hasQuery = all.some((parameter) => dereference(root, parameter)['in'] === 'query')
  return [
    ...path.map((parameter, index) => toLiteral(parameter?.value ?? names[index] ?? '')),
    ...(body === undefined ? [] : [toLiteral(body.value)]),
    ...(query.length > 0 || (hasQuery && headers.length > 0) ? [toArgument(query)] : []),
    ...(headers.length > 0 ? [`{ headers: ${toArgument(headers)} }`] : []),
  ]
}

function curlSample(root: JsonObject, place: Place, { parameters, body }: Call): string {
  const { method, path, operation } = place
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (template, name) => {
    const parameter = parameters.find((one) => one.place === 'path' && one.name === name)
    return parameter === undefined ? template : encodeURIComponent(toWord(parameter.value))
  })
  const query = parameters.filter((parameter) => parameter.place === 'query').flatMap(toPairs)
  const target = filled + (query.length > 0 ? `?${query.join('&')}` : '')
  const isUsual = method === 'get' || (method === 'post' && body !== undefined)
  const headers = parameters.filter((parameter) => parameter.place === 'header')
  const parts = [
    `curl ${isUsual ? '' : `-X ${method.toUpperCase()} `}${quote(baseUrlOf(root) + target)}`,
    ...(isPublic(root, operation) ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...headers.map(({ name, value }) => `-H ${quote(`${name}: ${toWord(value)}`)}`),
    ...(body === undefined
      ? []
      : [
          `-H ${quote(`Content-Type: ${body.mediaType}`)}`,
          `-d ${quote(JSON.stringify(body.value))}`,
        ]),
  ]
  return `${parts.join(' \\\n  ')}\n`
}

function toPairs({ name, value, explode }: Parameter): string[] {
  const values = Array.isArray(value) ? value.map(toWord) : [toWord(value)]
  const encoded = values.map(encodeURIComponent)
  const sent = explode ? encoded : [encoded.join(',')]
  return sent.map((one) => `${encodeURIComponent(name)}=${one}`)
}

function toWord(value: Json): string {
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
  return servers.map(readServerUrl).find((url) => /^https?:/.test(url)) ?? readBasePath(servers[0])
}
