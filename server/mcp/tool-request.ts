import { mapTemplate } from '../contract/path-template.ts'
import type { Parameter } from '../description/description.ts'
import { type JsonObject, memberOf } from '../description/json.ts'
import { isJsonType } from '../description/media-types.ts'
import { isJsonContent } from '../description/parameter-form.ts'
import { writeParameter } from '../description/parameter-writer.ts'
import { bodyArgument, type Tool } from './tools.ts'

/** A request to an operation, without credentials. */
export interface ToolRequest {
  readonly method: string
  /** The path below the base path and the query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  readonly body: string | undefined
}

/** Arguments that no request can be made from; the message says to an agent what to change. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
}

/**
 * Returns the request that a call of a tool stands for; throws an `ArgumentError` if there is none. Whether its values
 * are valid, the service decides when it gets the request.
 */
export function toToolRequest(tool: Tool, toolArguments: JsonObject): ToolRequest {
  const { operation, bodyType, accept } = tool
  assertKnown(tool, toolArguments)

  const written = writeParameters(tool, toolArguments)
  const texts = (location: string) => {
    const ofLocation = written.filter(({ parameter }) => parameter.location === location)
    return ofLocation.map(({ text }) => text)
  }
  const ofHeader = written.filter(({ parameter }) => parameter.location === 'header')
  const fields = ofHeader.map(({ argument, parameter, text }) => {
    return [parameter.name, assertField(argument, text)] as const
  })
  const body = memberOf(toolArguments, bodyArgument)
  const hasBody = bodyType !== undefined && body !== undefined
  const path = writePath(tool, written)
  const query = texts('query')
  return {
    method: operation.method.toUpperCase(),
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: {
      ...Object.fromEntries(fields),
      Accept: accept,
      ...(hasBody && { 'Content-Type': bodyType }),
    },
    cookies: texts('cookie'),
    body: hasBody ? writeBody(bodyType, body) : undefined,
  }
}

function writeBody(mediaType: string, value: unknown): string {
  if (isJsonType(mediaType)) {
    return JSON.stringify(value)
  }
  if (typeof value !== 'string') {
    throw new ArgumentError(`The argument ${bodyArgument} must be a string.`)
  }
  return value
}

/** A parameter as it is sent. */
interface Written {
  readonly argument: string
  readonly parameter: Parameter
  readonly text: string
}

/** Returns the parameters that are sent, without those that have no text, such as an empty list. */
function writeParameters({ parameters }: Tool, toolArguments: JsonObject): readonly Written[] {
  const written = Array.from(parameters, ([argument, parameter]): Written => {
    const value = memberOf(toolArguments, argument)
    // Agents send null for what they have no value of.
    const text = value === undefined || value === null ? '' : write(argument, parameter, value)
    return { argument, parameter, text }
  })
  return written.filter(({ text }) => text !== '')
}

/** Returns the path; throws if an argument has no text: the path would be another one. */
function writePath({ operation, parameters }: Tool, written: readonly Written[]): string {
  const inPath = [...parameters].filter(([, { location }]) => location === 'path')
  const values = inPath.map(([argument, { name }]) => {
    const text = written.find((each) => each.argument === argument)?.text
    if (text === undefined) {
      throw new ArgumentError(`The argument ${argument} is required, and must not be empty.`)
    }
    return [name, text] as const
  })
  const byName = new Map(values)
  return mapTemplate(
    operation.path,
    (name) => byName.get(name) ?? '',
    (text) => text,
  )
}

function assertKnown({ parameters, bodyType }: Tool, toolArguments: JsonObject): void {
  const knownArguments = [...parameters.keys(), ...(bodyType === undefined ? [] : [bodyArgument])]
  const unknown = Object.keys(toolArguments).filter((name) => !knownArguments.includes(name))
  if (unknown.length > 0) {
    const list =
      knownArguments.length === 0 ? 'It has none.' : `It has: ${knownArguments.join(', ')}.`
    const names = unknown.slice(0, 10).map((name) => JSON.stringify(name.slice(0, 100)))
    throw new ArgumentError(`The tool has no argument ${names.join(', ')}. ${list}`)
  }
}

function write(argument: string, parameter: Parameter, value: unknown): string {
  const { name, location, form } = parameter
  const isJson = isJsonContent(parameter)
  try {
    return writeParameter({ name, location, ...form, isJson }, value)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ArgumentError(`The argument ${argument} cannot be sent: ${reason}`, { cause })
  }
}

/** Returns the text of a header field; throws if it cannot be one (RFC 9110, section 5.5). */
function assertField(argument: string, text: string): string {
  if (/[^\t -~\x80-\xff]/.test(text)) {
    const characters = 'a header field has no line breaks, and no characters beyond Latin-1'
    throw new ArgumentError(`The argument ${argument} cannot be sent: ${characters}.`)
  }
  return text
}
