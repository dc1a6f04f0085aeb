import type { webhooks } from '../../generated/openapi.d.ts'
import type { Description, MediaType } from '../description/description.ts'
import { isJsonType } from '../description/media-types.ts'
import { namedWebhooks } from '../description/webhooks.ts'
import { createCompiler, type Validate } from './ajv.ts'
import { toDetails } from './details.ts'
import type { Detail } from './errors.ts'

/** The names of what the API sends to its consumers: webhooks, and callbacks such as `addOrder.onPaid`. */
export type WebhookName = keyof webhooks & string

/**
 * The operation of a path item.
 *
 * @example OperationIn<{ parameters: {}; get?: never; post: { requestBody: {} } }> // { requestBody: {} }
 */
type OperationIn<Item> = NonNullable<Item[Exclude<keyof Item, 'parameters'>]>

type ContentIn<Message> = Message extends { content: infer Content }
  ? Content[keyof Content]
  : never

/** The body that the API sends for a webhook or a callback. */
export type WebhookBody<Name extends WebhookName> =
  OperationIn<webhooks[Name]> extends { requestBody?: infer Body }
    ? ContentIn<NonNullable<Body>>
    : never

/** The body of the response of a consumer to a webhook or a callback, by its status. */
export type WebhookResponseBody<Name extends WebhookName, Status extends PropertyKey> =
  OperationIn<webhooks[Name]> extends { responses: infer Responses }
    ? ContentIn<Responses[Status & keyof Responses]>
    : never

/** What the API sends to its consumers. */
export interface Webhooks {
  /** Returns a body if the description allows it for a webhook or a callback; throws a `WebhookError` otherwise. */
  check<Name extends WebhookName>(name: Name, body: WebhookBody<Name>): WebhookBody<Name>
}

/** A body that the description does not allow for a webhook. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly details: readonly Detail[]

  constructor(name: string, details: readonly Detail[]) {
    const list = details.map(({ path, message }) => `${path} ${message}`)
    super(`The body of ${name} is not as described: ${list.join('; ')}.`)
    this.details = details
  }
}

/** Creates the checks of what an API sends to its consumers, by its description, which is read for the first of them. */
export function createWebhooks(readDescription: () => Description): Webhooks {
  const open = once(() => {
    const description = readDescription()
    const compile = createCompiler(description.documents, 'response')
    return { operations: namedWebhooks(description), compile }
  })
  const validators = new Map<string, Validate | undefined>()

  function validatorOf(name: string): Validate | undefined {
    const { operations, compile } = open()
    const operation = operations.get(name)
    if (operation === undefined) {
      throw new Error(`the description has no webhook or callback ${name}`)
    }
    const media = operation.body?.content.find(isJson)
    const properties = { body: { allOf: [media?.schema?.value ?? true] } }
    return media && compile({ type: 'object', properties, required: ['body'] })
  }

  return {
    check(name, body) {
      const validate = validators.getOrInsertComputed(name, () => validatorOf(name))
      if (validate?.({ body }) === false) {
        throw new WebhookError(name, toDetails(validate.errors))
      }
      return body
    },
  }
}

function once<Result>(create: () => Result): () => Result {
  let made: { readonly result: Result } | undefined
  return () => {
    made ??= { result: create() }
    return made.result
  }
}

function isJson({ name }: MediaType): boolean {
  return isJsonType(name)
}
