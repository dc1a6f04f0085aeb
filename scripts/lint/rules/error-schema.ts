import { type JsonObject, toList, toObject } from '../../../server/description/json.ts'
import { findPlatformFile, platformName } from '../platform-file.ts'
import { resolve } from '../resolved.ts'
import type { Context, Location, Rule } from '../rule.ts'

const errorPointer = '#/components/schemas/Error'

/** Where the Error object is declared, and what to do in a response without it. */
interface ErrorObject {
  readonly file: string
  readonly advice: string
}

/** Requires the Error object in every response outside 2xx. */
export const errorSchema: Rule = () => {
  let error: ErrorObject = { file: '', advice: '' }

  return {
    Responses(responses, context) {
      for (const [status, response] of Object.entries(responses)) {
        if (!status.startsWith('2')) {
          check(response, context.location.child(status), error, context)
        }
      }
    },
    Root(root, context) {
      error = findErrorObject(root, context.location.source.absoluteRef)
      const framing = root['x-framing-response']
      if (framing !== undefined) {
        check(framing, context.location.child('x-framing-response'), error, context)
      }
    },
  }
}

/** Finds the Error object: the platform's, or that of a description which has everything itself. */
function findErrorObject(root: JsonObject, file: string): ErrorObject {
  const platformFile = findPlatformFile(root, file)
  const reference = platformFile === undefined ? errorPointer : `${platformName}${errorPointer}`
  return {
    file: platformFile ?? file,
    advice: `refer to ${reference}, alone or in an allOf that narrows it`,
  }
}

function check(value: unknown, place: Location, error: ErrorObject, context: Context): void {
  const response = resolve(value, place, context)
  // A reference that cannot be resolved has a rule of its own.
  if (response === undefined) {
    return
  }

  const content = resolve(response.node['content'], response.location.child('content'), context)
  if (content === undefined) {
    return
  }

  const mediaTypes = Object.entries(content.node)
  if (mediaTypes.length === 0) {
    const message = `This response outside 2xx has no content; ${error.advice}.`
    context.report({ message, location: response.location.key() })
  }
  for (const [mediaType, media] of mediaTypes) {
    const { schema } = toObject(media)
    const at = content.location.child([mediaType, 'schema'])
    if (!isError(schema, at, error, context)) {
      const message = `A response outside 2xx holds the Error object; ${error.advice}.`
      context.report({ message, location: at.key() })
    }
  }
}

function isError(schema: unknown, place: Location, error: ErrorObject, context: Context): boolean {
  const resolved = resolve(schema, place, context)
  // A reference that cannot be resolved has a rule of its own.
  if (resolved === undefined) {
    return true
  }

  const { node, location } = resolved
  if (location.pointer === errorPointer && location.source.absoluteRef === error.file) {
    return true
  }

  return toList(node['allOf']).some((part, index) =>
    isError(part, location.child(['allOf', String(index)]), error, context),
  )
}
