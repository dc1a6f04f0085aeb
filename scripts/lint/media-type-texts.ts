import { childOf, entriesOf } from '../../server/description/fields.ts'
import { type JsonObject, memberOf, toObject } from '../../server/description/json.ts'
import type { Located } from '../../server/description/location.ts'
import { isJsonType, json } from '../../server/description/media-types.ts'
import { type CalledOperation, type Follow, operationsIn } from './called-operations.ts'

/** The components of the platform whose texts are about media types. */
export const componentsOnMediaTypes = {
  responses: ['UnsupportedMediaType', 'NotAcceptable'],
  schemas: ['UnsupportedMediaTypeError', 'NotAcceptableError'],
} as const

/**
 * Makes the texts of the platform about media types true for those of a description, in place. They are written for
 * JSON in requests and responses.
 */
export function nameMediaTypes(
  root: JsonObject,
  file: string,
  follow: Follow,
  platform: JsonObject,
): void {
  const operations = [...operationsIn(root, file, follow)]
  const typesOfOperations = operations.map((called) => bodyTypes(called, follow))
  const typesOfBodies = typesOfOperations.filter((types) => types.length > 0)
  nameBodyTypes(typesOfBodies, platform)

  const typesOfSuccesses = operations.flatMap((called) => successTypes(called, follow))
  nameSuccessTypes(typesOfSuccesses, platform)
}

/** Writes the texts about bodies of other media types than those that operations accept, a list for each. */
function nameBodyTypes(typesOfBodies: readonly (readonly string[])[], platform: JsonObject): void {
  const lists = new Set(typesOfBodies.map((types) => types.join()))
  const isJsonAlone = lists.size === 0 || (lists.size === 1 && lists.has(json))
  if (isJsonAlone) {
    return
  }

  const [firstTypes = []] = typesOfBodies
  const names = firstTypes.map((type) => `\`${type}\``).join(' or ')
  const subject =
    lists.size === 1
      ? `The body is not ${names}`
      : 'The body has no media type that the operation accepts'
  const description = `${subject}, or its content coding is neither gzip nor br.`
  const message = `The body must be ${firstTypes[0]}.`
  const hasJson = typesOfBodies.flat().includes(json)
  rewrite(platform, 'UnsupportedMediaType', description, hasJson ? undefined : message)
}

/** Writes the texts about an `Accept` header that rules out the media types of successes. */
function nameSuccessTypes(types: readonly string[], platform: JsonObject): void {
  if (types.every(isJsonType)) {
    return
  }

  const description = '`Accept` rules out every media type of the response.'
  const message = `The response is ${types[0]}, which the Accept header rules out.`
  const hasJson = types.includes(json)
  rewrite(platform, 'NotAcceptable', description, hasJson ? undefined : message)
}

/** Returns the media types of the body of an operation; an empty list if it has none. */
function bodyTypes({ node }: CalledOperation, follow: Follow): readonly string[] {
  return typesOf(childOf(node, 'requestBody'), follow)
}

/** Returns the media types of the successes of an operation. */
function successTypes({ node }: CalledOperation, follow: Follow): readonly string[] {
  const responses = entriesOf(follow(childOf(node, 'responses')))
  const successes = responses.filter(({ key }) => /^2/.test(key))
  return successes.flatMap((response) => typesOf(response, follow))
}

function typesOf(holder: Located, follow: Follow): readonly string[] {
  return entriesOf(childOf(follow(holder), 'content')).map(({ key }) => key)
}

/** Writes the description of a response of the platform, and, if there is one, the message of its examples. */
function rewrite(
  platform: JsonObject,
  name: string,
  description: string,
  message: string | undefined,
): void {
  const { responses, schemas } = toObject(platform['components'])
  const response = toObject(memberOf(responses, name))
  const schema = toObject(memberOf(schemas, `${name}Error`))
  Object.assign(response, { description })
  Object.assign(schema, { description })
  if (message === undefined) {
    return
  }

  const { examples } = toObject(memberOf(response['content'], json))
  for (const example of Object.values(toObject(examples)).map(toObject)) {
    Object.assign(example, { summary: 'Another media type' })
    Object.assign(toObject(example['value']), { message })
  }
  Object.assign(toObject(schema['example']), { message })
}
