import { dereference, type JsonObject, toObject } from '../description.ts'
import { Doubt } from './doubt.ts'

/** What is promised of an answer. */
export interface Promised {
  /** Of all that is answered: an object of `headers`, and of `body` where there is one. */
  readonly schema: JsonObject
  /** The headers that are required; a service may be told to do without some. */
  readonly owed: readonly string[]
}

/** What a response promises. */
export function promisedBy(root: JsonObject, response: unknown): Promised {
  const { headers, content } = dereference(root, response)
  const declared = Object.entries(toObject(headers)).map(
    ([name, header]) => [name, dereference(root, header)] as const,
  )
  const fields = declared.map(([name, { schema }]) => [name, schema])
  const owed = declared.filter(([, header]) => header['required'] === true).map(([name]) => name)
  const ofHeaders = {
    type: 'object',
    properties: Object.fromEntries(fields),
    additionalProperties: false,
  }
  const properties = { headers: ofHeaders, body: content === undefined ? false : bodyOf(content) }
  const required = ['headers', ...(content === undefined ? [] : ['body'])]
  return { schema: { type: 'object', properties, required }, owed }
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
