import { dereference, type JsonObject, toObject } from '../description.ts'
import { Doubt } from './doubt.ts'

/** The schema of all that is answered: an object of `headers`, and of `body` where there is one. */
export function schemaOfAnswer(root: JsonObject, response: unknown): JsonObject {
  const { headers, content } = dereference(root, response)
  const declared = Object.entries(toObject(headers)).map(
    ([name, header]) => [name, dereference(root, header)] as const,
  )
  const fields = declared.map(([name, { schema }]) => [name, schema])
  const required = declared.filter(([, header]) => header['required'] === true)
  const ofHeaders = {
    type: 'object',
    properties: Object.fromEntries(fields),
    required: required.map(([name]) => name),
    additionalProperties: false,
  }
  const properties = { headers: ofHeaders, body: content === undefined ? false : bodyOf(content) }
  return {
    type: 'object',
    properties,
    required: ['headers', ...(content === undefined ? [] : ['body'])],
  }
}

function bodyOf(content: unknown): unknown {
  // The validator judges every body by what comes first.
  const [mediaType, media] = Object.entries(toObject(content))[0] ?? []
  const { schema } = toObject(media)
  if (mediaType !== 'application/json' || schema === undefined) {
    throw new Doubt('The content is not JSON.')
  }
  return schema
}
