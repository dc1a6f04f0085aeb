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
  const bodyTypes = operations.flatMap((called) => sentTypes(called, follow))
  const successTypes = operations.flatMap((called) => receivedTypes(called, follow))

  if (bodyTypes.some((types) => types.join() !== json)) {
    const isSame = new Set(bodyTypes.map((types) => types.join())).size === 1
    const names = bodyTypes[0]?.map((type) => `\`${type}\``).join(' or ')
    const subject = isSame
      ? `The body is not ${names}`
      : 'The body has no media type that the operation accepts'
    const description = `${subject}, or its content coding is neither gzip nor br.`
    const message = `The body must be ${bodyTypes.flat()[0]}.`
    const isOfJson = bodyTypes.flat().includes(json)
    rewrite(platform, 'UnsupportedMediaType', description, isOfJson ? undefined : message)
  }

  if (successTypes.some((type) => !isJsonType(type))) {
    const description = '`Accept` rules out every media type of the response.'
    const message = `The response is ${successTypes[0]}, which the Accept header rules out.`
    const isOfJson = successTypes.includes(json)
    rewrite(platform, 'NotAcceptable', description, isOfJson ? undefined : message)
  }
}

/** Returns the media types of the body of an operation, as a list of one list; an empty list if it has none. */
function sentTypes({ node }: CalledOperation, follow: Follow): readonly (readonly string[])[] {
  const types = typesOf(childOf(node, 'requestBody'), follow)
  return types.length === 0 ? [] : [types]
}

/** Returns the media types of the successes of an operation. */
function receivedTypes({ node }: CalledOperation, follow: Follow): readonly string[] {
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
