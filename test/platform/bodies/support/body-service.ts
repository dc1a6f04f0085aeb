import type { UploadedFile } from '../../../../server/contract/content.ts'
import type { CallableHandler } from '../../../../server/contract/handler.ts'
import { startServiceOf } from '../../../helpers/service.ts'
import { createSmallApi, type SmallOperation } from '../../validation/support/small-api.ts'

/** A request body of a description, by its media types. */
export type Content = Readonly<Record<string, object>>

interface Options {
  readonly maxBytes?: number
  readonly isRequired?: boolean
  readonly handler?: CallableHandler
  readonly parameters?: readonly object[]
}

/** Returns an operation with a body, at the path `/body`. */
export function withBody(content: Content, options: Options = {}): SmallOperation {
  const { maxBytes, isRequired = true, handler = echo, parameters = [] } = options
  const limit = maxBytes === undefined ? {} : { 'x-max-bytes': maxBytes }
  const response = { content: { 'application/json': {} } }
  const requestBody = { required: isRequired, ...limit, content }
  return { method: 'post', path: '/body', requestBody, parameters, response, handler }
}

/** Starts a service with one operation that has a body. */
export function startWithBody(
  content: Content,
  options: Options = {},
  environment: Readonly<Record<string, string>> = {},
) {
  return startServiceOf(createSmallApi([withBody(content, options)], {}), environment)
}

/** Responds with the body that it gets: files and streams with the text of their bytes. */
export const echo: CallableHandler = async ({ mediaType, body }, { respond }) => {
  return respond(200, { mediaType: mediaType ?? null, body: (await toJson(body)) ?? null })
}

async function toJson(value: unknown): Promise<unknown> {
  if (isFile(value)) {
    const { name, mediaType, size, stream } = value
    return { name: name ?? null, mediaType, size, text: await readText(stream()) }
  }
  if (typeof value !== 'object' || value === null) {
    return value
  }
  if (Symbol.asyncIterator in value) {
    return { stream: await readText(value as AsyncIterable<Buffer>) }
  }
  if (Array.isArray(value)) {
    return Promise.all(value.map(toJson))
  }
  const members = Object.entries(value).map(async ([name, each]) => [name, await toJson(each)])
  return Object.fromEntries(await Promise.all(members))
}

function isFile(value: unknown): value is UploadedFile {
  return typeof value === 'object' && value !== null && 'stream' in value
}

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const text = Buffer.concat(await Array.fromAsync(stream)).toString('latin1')
  return text.length > 100 ? `${text.slice(0, 3)}… ${text.length}` : text
}

/** Returns a handler that throws an error of its own, with the error of another handler as its cause. */
export function withWrappedErrors(handler: CallableHandler): CallableHandler {
  return async (...call) => {
    try {
      return await handler(...call)
    } catch (cause) {
      throw new Error('cannot store it', { cause })
    }
  }
}
