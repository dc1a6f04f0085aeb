import { toLiteral } from './literal.js'
import { sent, toTarget } from './subject.js'

/** @import { Field, Filled, Subject } from './subject.js' */

/**
 * How a call is written with the client: path parameters first, then the body, then the query, then
 * options.
 *
 * @param {Subject} subject
 * @param {Filled} filled
 * @param {string} baseUrl
 */
export function toClientSample(subject, filled, baseUrl) {
  const { packageName, factory } = subject.client
  return `import { ${factory} } from '${packageName}'

const store = ${factory}({
  baseUrl: '${baseUrl}',
  apiKey: process.env['KEY'] ?? '',
})

${toCall(subject, filled)}
`
}

/**
 * @param {Subject} subject
 * @param {Filled} filled
 */
function toCall(subject, filled) {
  const call = `store.${subject.operationId}(${toArguments(subject, filled).join(', ')})`
  if (!subject.isPaged) return `const answer = await ${call}\nconsole.log(answer)`
  return `// One page; \`page.next\` asks for the one after it.
const page = await ${call}
console.log(page)

// Every page, each fetched when it is needed.
for await (const item of ${call}) {
  console.log(item)
}`
}

/**
 * @param {Subject} subject
 * @param {Filled} filled
 */
function toArguments({ path, hasQuery }, filled) {
  const query = sent(filled, 'query')
  const headers = sent(filled, 'header')
  const inPath = new Map(sent(filled, 'path').map((field) => [field.name, field]))
  const names = Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name)
  const values = names.map((name) => {
    const field = inPath.get(name)
    return field === undefined ? name : toLiteral(toValue(field))
  })
  if (filled.body !== undefined) values.push(toBody(filled.body))
  // What comes after may not take its place.
  if (query.length > 0 || (hasQuery && headers.length > 0)) values.push(toObject(query))
  if (headers.length > 0) values.push(`{ headers: ${toObject(headers)} }`)
  return values
}

/** @param {readonly Field[]} fields */
function toObject(fields) {
  return toLiteral(Object.fromEntries(fields.map((field) => [field.name, toValue(field)])))
}

/** @param {string} body */
function toBody(body) {
  try {
    return toLiteral(JSON.parse(body))
  } catch {
    // While it is being typed it is shown as it is.
    return body
  }
}

/**
 * @param {Pick<Field, 'type' | 'items' | 'value'>} field
 * @returns {unknown}
 */
function toValue({ type, items, value }) {
  if (type === 'array') {
    return value.split(',').map((part) => toValue({ type: items, items: '', value: part.trim() }))
  }
  if (type === 'boolean') return value === 'true'
  const isNumeric = type === 'integer' || type === 'number'
  return isNumeric && Number.isFinite(Number(value)) ? Number(value) : value
}

/**
 * How a call is written for a POSIX shell.
 *
 * @param {Subject} subject
 * @param {Filled} filled
 * @param {string} baseUrl
 */
export function toCurlSample(subject, filled, baseUrl) {
  const { credential, method } = subject
  const hasBody = filled.body !== undefined
  const isUsual = method === 'get' || (method === 'post' && hasBody)
  const headers = sent(filled, 'header').map(({ name, value }) => quoted(`${name}: ${value}`))
  const parts = [
    `curl ${isUsual ? '' : `-X ${method.toUpperCase()} `}${quoted(baseUrl + toTarget(subject, filled))}`,
    ...(credential ? [`-H "${credential.header}: ${credential.prefix}$KEY"`] : []),
    ...(hasBody ? [`-H ${quoted(`Content-Type: ${filled.mediaType}`)}`] : []),
    ...headers.map((header) => `-H ${header}`),
    ...(hasBody ? [`-d ${quoted(compact(filled.body ?? ''))}`] : []),
  ]
  return `${parts.join(' \\\n  ')}\n`
}

/** @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** @param {string} body */
function compact(body) {
  // A long number would not survive it.
  if (/\d{16}/.test(body)) return body
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return body
  }
}
