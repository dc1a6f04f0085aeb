import { credentialTexts } from '../../server/description/credential-texts.ts'
import { childrenOf } from '../../server/description/fields.ts'
import { type JsonObject, memberOf, toObject } from '../../server/description/json.ts'
import { readSecurityScheme } from '../../server/description/security.ts'
import type { Follow } from './called-operations.ts'

/** The components of the platform whose texts are about credentials. */
export const componentsOnCredentials = {
  responses: ['Unauthorized', 'TooManyRequests'],
  schemas: ['UnauthorizedError'],
} as const

/** The noun of the texts as they are written. */
const usualNoun = 'API key'

/**
 * Makes the texts of the platform about credentials name those of a description, in place. They are written
 * for API keys as bearer tokens.
 */
export function nameCredentials(
  root: JsonObject,
  file: string,
  follow: Follow,
  platform: JsonObject,
): void {
  const components = { file, pointer: '#/components', value: root['components'] }
  const texts = childrenOf(components, 'securitySchemes').map((node) => {
    return credentialTexts(readSecurityScheme(follow(node)))
  })
  if (texts.length === 0) {
    return
  }

  const { responses, schemas } = toObject(platform['components'])
  const unauthorized = toObject(memberOf(responses, 'Unauthorized'))
  const unauthorizedError = toObject(memberOf(schemas, 'UnauthorizedError'))
  const advice = unique(texts.map((each) => each.advice)).join(' Or: ')
  change(exampleOf(unauthorized, 'missing'), 'value', { message: advice })
  change(unauthorizedError, 'example', { message: advice })

  const nouns = unique(texts.map(({ credential }) => credential))
  const [firstNoun = usualNoun] = nouns
  if (nouns.length === 1 && firstNoun === usualNoun) {
    return
  }
  describeUnauthorized(nouns, unauthorized, unauthorizedError)
  describeBan(firstNoun, toObject(memberOf(responses, 'TooManyRequests')))
}

/** Writes the texts of a 401, by the nouns for the credentials. */
function describeUnauthorized(
  nouns: readonly string[],
  unauthorized: JsonObject,
  unauthorizedError: JsonObject,
): void {
  const joinedNouns = nouns.join(' or ')
  const hasNoun = nouns.length === 1 && joinedNouns !== 'credentials'
  const subject = hasNoun ? `The ${joinedNouns} is` : 'The credentials are'
  const description = `${subject} missing or invalid.`
  Object.assign(unauthorized, { description })
  Object.assign(unauthorizedError, { description })

  const missing = exampleOf(unauthorized, 'missing')
  const summary = hasNoun ? `No ${joinedNouns} was sent` : 'No credentials were sent'
  Object.assign(missing, { summary })

  const invalid = exampleOf(unauthorized, 'invalid')
  Object.assign(invalid, { summary: `${subject} not valid` })
  change(invalid, 'value', { message: `The ${joinedNouns} is not valid.` })
}

/** Writes the example of a ban, by the noun for what is banned. */
function describeBan(noun: string, tooManyRequests: JsonObject): void {
  const banned = exampleOf(tooManyRequests, 'banned')
  const message = `The ${noun} is banned after repeated requests over its limit. Retry in 300 seconds.`
  Object.assign(banned, { summary: `The ${noun} is banned for a while` })
  change(banned, 'value', { message })
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}

/** Returns an example of the body of a response. */
function exampleOf(response: JsonObject, name: string): JsonObject {
  const { content } = response
  const { examples } = toObject(memberOf(content, 'application/json'))
  return toObject(memberOf(examples, name))
}

/** Changes members of a part, if there is one. */
function change(holder: JsonObject, name: string, members: JsonObject): void {
  Object.assign(toObject(holder[name]), members)
}
