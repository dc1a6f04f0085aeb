import { isJsonSequence } from '../description/content-kind.ts'
import type { Description } from '../description/description.ts'
import { findMediaType } from '../description/media-types.ts'
import { itemSchemaOf, streamItemsOf } from '../description/stream-items.ts'
import type { CompileSchema, Validate } from './ajv.ts'
import { isStreamed } from './content.ts'
import { describedOperation } from './contract.ts'
import { toDetails, truncateDetails } from './details.ts'
import { ApiError, type Detail, invalidRequest } from './errors.ts'
import { parseIJson } from './i-json.ts'
import { findContent } from './message-schemas.ts'
import type { Operation } from './operation.ts'

/** The most bytes of an item, which is kept in memory until it is complete. */
const maxItemBytes = 1_000_000

const [newline = 0, recordSeparator = 0] = Buffer.from('\n\u001e')

/** Returns the items of a body that is a stream of JSON values; any other body is returned unchanged. */
export type ReadItems = (
  body: unknown,
  locals: Pick<Express.Locals, 'mediaType' | 'contentKind' | 'contentError'>,
) => unknown

/**
 * Returns the function that reads the items of an operation's bodies. They are parsed and validated one by one while
 * the handler iterates; the iterator throws an `ApiError` of 400 at one that is invalid.
 */
export function createItemsReader(
  description: Description,
  operation: Operation,
  compile: CompileSchema,
  knownNames: ReadonlySet<string>,
): ReadItems {
  const { mediaTypes = [] } = operation.requestBody ?? {}
  const validators = new Map<string, Validate<{ readonly item: unknown }>>()

  function validatorOf(mediaType: string) {
    // By the declared name: any number of types belong to a range.
    const declared = findMediaType(mediaTypes, mediaType) ?? mediaType
    return validators.getOrInsertComputed(declared, () => {
      const schema = schemaOfItems(description, operation, declared)
      return compile({ type: 'object', properties: { item: { allOf: [schema] } } })
    })
  }

  return function readItems(body, locals) {
    const { mediaType = '', contentKind } = locals
    if (!isStreamed(body) || contentKind !== 'lines') {
      return body
    }

    const content = body
    const validate = validatorOf(mediaType)
    async function* iterate(): AsyncGenerator<unknown> {
      let index = 0
      try {
        for await (const bytes of splitItems(content, mediaType)) {
          const values = { item: parseItem(bytes, index) }
          if (!validate(values)) {
            throw invalidItem(toDetails(validate.errors), index, knownNames)
          }
          yield values.item
          index++
        }
      } catch (error) {
        // A handler may report another error because of this one.
        locals.contentError = error
        throw error
      }
    }
    return iterate()
  }
}

function schemaOfItems(description: Description, operation: Operation, mediaType: string): unknown {
  const { documents } = description
  const { body } = describedOperation(description, operation)
  const media = findContent(body?.content ?? [], mediaType)
  const items = media && streamItemsOf(media, documents)
  return items === undefined ? true : itemSchemaOf(items, documents)
}

/** Yields the bytes of each item that has some. Throws at one that is too long. */
async function* splitItems(
  body: AsyncIterable<unknown>,
  mediaType: string,
): AsyncGenerator<Uint8Array> {
  const separator = isJsonSequence(mediaType) ? recordSeparator : newline
  let count = 0
  let begun: Uint8Array[] = []
  let begunBytes = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    let rest = chunk
    let end = rest.indexOf(separator)
    while (end !== -1) {
      const item = Buffer.concat([...begun, rest.subarray(0, end)])
      begun = []
      begunBytes = 0
      if (hasContent(item)) {
        yield item
        count++
      }
      rest = rest.subarray(end + 1)
      end = rest.indexOf(separator)
    }

    begun.push(rest)
    begunBytes += rest.length
    if (begunBytes > maxItemBytes) {
      const message = `must have at most ${maxItemBytes} bytes`
      throw invalidRequest([{ path: `/body/${count}`, message }])
    }
  }

  const last = Buffer.concat(begun)
  if (hasContent(last)) {
    yield last
  }
}

function hasContent(item: Buffer): boolean {
  return item.some((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d))
}

/** Returns the value of an item; throws if it is not I-JSON. */
function parseItem(bytes: Uint8Array, index: number): unknown {
  try {
    return parseIJson(bytes)
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error
    }
    const details = error.details.map(({ message }) => ({ path: `/body/${index}`, message }))
    const message = 'An item of the body is not I-JSON (RFC 7493).'
    throw new ApiError({ status: 400, code: 'malformed_json' }, message, { details })
  }
}

function invalidItem(
  itemDetails: readonly Detail[],
  index: number,
  knownNames: ReadonlySet<string>,
): ApiError {
  const details = itemDetails.map(({ path, message }) => {
    return { path: path.replace('/item', `/body/${index}`), message }
  })
  return invalidRequest(truncateDetails(details, knownNames), details.length)
}
