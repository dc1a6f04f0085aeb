import type { Document, Located } from './document.ts'
import { isList, type Json, type JsonObject, show, toList, toObject, toText } from './json.ts'
import { keyOf, listOperations, nameOf, type Operation, pathOfServer } from './operations.ts'
import { listSchemaChanges, type Pair } from './same-schema.ts'

/** Returns what the served document has lost, or has changed, of a description. */
export function listLosses(before: Document, after: Document): readonly string[] {
  const pair: Pair = { before, after }
  return [
    ...listRootLosses(pair),
    ...listOperations(before).flatMap((operation) => {
      const losses = listOperationLosses(pair, operation)
      return losses.map((loss) => `${nameOf(operation)}: ${loss}`)
    }),
    ...listComponentLosses(pair),
  ]
}

function listRootLosses({ before, after }: Pair): readonly string[] {
  const [own, other] = [before.root.value, after.root.value]
  const paths = toList(other['servers']).map((server) => pathOfServer(toObject(server)))
  const servers = toList(own['servers']).length === 0 ? [''] : toList(own['servers'])
  const servedPaths = paths.length === 0 ? [''] : paths
  const lostServers = servers
    .map((server) => pathOfServer(toObject(server)))
    .filter((path) => !servedPaths.includes(path))

  const info = ['title', 'version'].filter((key) => {
    return toObject(own['info'])[key] !== toObject(other['info'])[key]
  })
  return [
    ...lostServers.map((path) => `no server has the path ${path || '/'}`),
    ...info.map((key) => `info.${key} is ${show(toObject(other['info'])[key])}`),
    ...listMissing(own['paths'], other['paths'], 'path'),
    ...listMissing(own['webhooks'], other['webhooks'], 'webhook'),
    ...listExtensionLosses(own, other),
  ]
}

function listOperationLosses(pair: Pair, operation: Operation): readonly string[] {
  const { before, after } = pair
  const { method, path, located, security } = operation
  const served = listOperations(after).find(
    (candidate) => candidate.method === method && candidate.path === path,
  )
  if (served === undefined) {
    return ['the operation is missing']
  }

  const [own, other] = [located.value, served.located.value]
  const texts = ['operationId', 'summary', 'deprecated'].filter((key) => {
    return own[key] !== undefined && own[key] !== other[key]
  })
  const parameters = operation.parameters.flatMap((parameter) => {
    const same = served.parameters.find((candidate) => keyOf(candidate) === keyOf(parameter))
    const losses = listParameterLosses(pair, parameter, same)
    return losses.map((loss) => `parameter ${keyOf(parameter)}: ${loss}`)
  })
  const isSecured = show([...security]) === show([...served.security])
  return [
    ...texts.map((key) => `${key} is ${show(other[key])}, not ${show(own[key])}`),
    ...parameters,
    ...listBodyLosses(
      pair,
      before.at(located, 'requestBody'),
      after.at(served.located, 'requestBody'),
    ),
    ...listResponseLosses(pair, located, served.located),
    ...listMissing(own['callbacks'], other['callbacks'], 'callback'),
    ...listExtensionLosses(own, other),
    ...(isSecured ? [] : [`security is ${show(served.security)}, not ${show(security)}`]),
  ]
}

function listParameterLosses(
  pair: Pair,
  parameter: Located<JsonObject>,
  served: Located<JsonObject> | undefined,
): readonly string[] {
  if (served === undefined) {
    return ['it is missing']
  }
  const [own, other] = [parameter.value, served.value]
  const flags = ['required', 'deprecated', 'allowEmptyValue', 'allowReserved'].filter(
    (key) => (own[key] ?? false) !== (other[key] ?? false),
  )
  const [form, servedForm] = [formOf(own), formOf(other)]
  return [
    ...flags.map((key) => `${key} is ${show(other[key])}`),
    ...(form === servedForm ? [] : [`its form is ${servedForm}, not ${form}`]),
    ...listContentLosses(pair, parameter, served),
    ...listSchemaLosses(pair, parameter, served),
  ]
}

/** Returns how a parameter is serialised, with what is not written. */
function formOf({ in: place, style, explode, content }: JsonObject): string {
  if (content !== undefined) {
    return 'content'
  }
  const usual = ['query', 'cookie'].includes(toText(place)) ? 'form' : 'simple'
  const own = toText(style ?? usual)
  return `${own}, explode ${explode ?? own === 'form'}`
}

function listBodyLosses(
  pair: Pair,
  body: Located | undefined,
  servedBody: Located | undefined,
): readonly string[] {
  if (body === undefined) {
    return []
  }
  const [own, other] = [pair.before.follow(body), pair.after.follow(servedBody)]
  const isRequired = (own.value['required'] ?? false) === (other.value['required'] ?? false)
  const losses = [
    ...(isRequired ? [] : [`required is ${show(other.value['required'])}`]),
    ...listContentLosses(pair, own, other),
  ]
  return losses.map((loss) => `request body: ${loss}`)
}

function listResponseLosses(
  pair: Pair,
  operation: Located<JsonObject>,
  servedOperation: Located<JsonObject>,
): readonly string[] {
  const { before, after } = pair
  const statuses = Object.keys(toObject(operation.value['responses']))
  const kept = Object.keys(toObject(servedOperation.value['responses']))
  return statuses
    .filter((status) => !status.startsWith('x-'))
    .flatMap((status) => {
      const same = kept.find((candidate) => candidate.toUpperCase() === status.toUpperCase())
      if (same === undefined) {
        return [`response ${status} is missing`]
      }
      const response = before.follow(before.at(operation, 'responses', status))
      const served = after.follow(after.at(servedOperation, 'responses', same))
      const losses = [
        ...(isBareError(status, response) ? [] : listContentLosses(pair, response, served)),
        ...listHeaderLosses(pair, response, served),
        ...listMissing(response.value['links'], served.value['links'], 'link'),
      ]
      return losses.map((loss) => `response ${status}: ${loss}`)
    })
}

/** Returns whether a response is an error without a declared body: the API's own error may be added. */
function isBareError(status: string, { value }: Located<JsonObject>): boolean {
  return /^[45]/.test(status) && Object.keys(toObject(value['content'])).length === 0
}

function listHeaderLosses(
  pair: Pair,
  response: Located<JsonObject>,
  served: Located<JsonObject>,
): readonly string[] {
  const { before, after } = pair
  const names = Object.keys(toObject(served.value['headers']))
  return Object.keys(toObject(response.value['headers'])).flatMap((name) => {
    const same = names.find((candidate) => candidate.toLowerCase() === name.toLowerCase())
    if (same === undefined) {
      return [`header ${name} is missing`]
    }
    const own = before.follow(before.at(response, 'headers', name))
    const other = after.follow(after.at(served, 'headers', same))
    const isRequired = (own.value['required'] ?? false) === (other.value['required'] ?? false)
    const losses = listSchemaLosses(pair, own, other)
    return [
      ...(isRequired ? [] : [`header ${name}: required is ${show(other.value['required'])}`]),
      ...losses.map((loss) => `header ${name}: ${loss}`),
    ]
  })
}

/** Compares what a media type says beside its schema: the items of a stream, and the encoding of fields. */
function listStreamLosses(
  pair: Pair,
  own: Located<JsonObject>,
  other: Located<JsonObject>,
): readonly string[] {
  const items = ['itemSchema', 'x-item-schema'].flatMap((key) => {
    const changes = listSchemaChanges(pair, pair.before.at(own, key), pair.after.at(other, key))
    return changes.map((change) => `${key}${change}`)
  })
  const [before, after] = [own, other].map(({ value }) => JSON.stringify(value['encoding']))
  const isSame = before === after
  return isSame ? items : [...items, `encoding is ${show(other.value['encoding'])}`]
}

/** Compares media types: what is declared is neither less nor more than before. */
function listContentLosses(
  pair: Pair,
  own: Located<JsonObject>,
  other: Located<JsonObject>,
): readonly string[] {
  const [types, servedTypes] = [own, other].map(({ value }) =>
    Object.keys(toObject(value['content'])),
  )
  const [declared, served] = [types ?? [], servedTypes ?? []]
  const missing = declared.filter((type) => !served.includes(type))
  const added = served.filter((type) => !declared.includes(type))
  const changes = declared.flatMap((type) => {
    const content = pair.before.follow(pair.before.at(own, 'content', type))
    const servedContent = pair.after.follow(pair.after.at(other, 'content', type))
    if (missing.includes(type)) {
      return []
    }
    return [
      ...listSchemaLosses(pair, content, servedContent),
      ...listStreamLosses(pair, content, servedContent).map((loss) => `${type}: ${loss}`),
    ]
  })
  return [
    ...missing.map((type) => `media type ${type} is missing`),
    ...added.map((type) => `media type ${type} was added`),
    ...changes,
  ]
}

function listSchemaLosses(
  pair: Pair,
  own: Located<JsonObject>,
  other: Located<JsonObject>,
): readonly string[] {
  const [schema, served] = [pair.before.at(own, 'schema'), pair.after.at(other, 'schema')]
  return listSchemaChanges(pair, schema, served).map((change) => `schema${change}`)
}

function listComponentLosses(pair: Pair): readonly string[] {
  const { before, after } = pair
  const components = toObject(before.root.value['components'])
  const served = toObject(after.root.value['components'])
  const missing = Object.keys(components)
    .filter((section) => !section.startsWith('x-'))
    .flatMap((section) => listMissing(components[section], served[section], `component ${section}`))
  const schemes = Object.keys(toObject(components['securitySchemes'])).filter((name) => {
    const [own, other] = [before, after].map((document) => {
      return document.follow(document.at(document.root, 'components', 'securitySchemes', name))
    })
    return show(sortKeys(own?.value)) !== show(sortKeys(other?.value))
  })
  return [...missing, ...schemes.map((name) => `security scheme ${name} was changed`)]
}

/** Returns what is in one object by name and not in another one. */
function listMissing(
  own: Json | undefined,
  other: Json | undefined,
  kind: string,
): readonly string[] {
  const kept = toObject(other)
  const missing = Object.keys(toObject(own)).filter((name) => kept[name] === undefined)
  return missing.map((name) => `${kind} ${name} is missing`)
}

function listExtensionLosses(own: JsonObject, other: JsonObject): readonly string[] {
  const names = Object.keys(own).filter((name) => name.startsWith('x-'))
  return names
    .filter((name) => other[name] === undefined)
    .map((name) => `extension ${name} is missing`)
}

/** Returns a value whose objects have their keys in order, without undefined ones. */
function sortKeys(value: Json | undefined): Json {
  if (isList(value)) {
    return value.map(sortKeys)
  }
  if (typeof value !== 'object' || value === null) {
    return value ?? null
  }
  const entries = Object.entries(value).map(([key, member]) => [key, sortKeys(member)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
