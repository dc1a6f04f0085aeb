import type {
  Description,
  Header,
  Operation,
  Response,
} from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import { type JsonObject, toObject } from '../../server/description/json.ts'
import { isJsonType } from '../../server/description/media-types.ts'
import { idOf, servedOperations } from '../../server/description/operations.ts'
import { printLiteral } from './literal.ts'

/** Returns the module with the examples of each operation's responses. */
export function printExamples(description: Description): string {
  const { documents } = description
  const table = servedOperations(description).map((operation) => [
    idOf(operation),
    readResponses(operation, documents),
  ])
  return `/** Example responses of each operation, by status: the required headers, and bodies by name. */
export const examples = ${printLiteral(Object.fromEntries(table))} as const
`
}

function readResponses({ responses }: Operation, documents: Documents) {
  // A listed status wins over the range that it is in.
  const ranges = responses.filter((response) => !isListed(response))
  const withJson = [...ranges, ...responses.filter(isListed)].flatMap((response) => {
    const { headers, content } = response
    const media = content.find(({ name }) => isJsonType(name))
    const status = statusOf(response)
    if (media === undefined || status === undefined) {
      return []
    }
    const bodies = Object.fromEntries(examplesOf(media, documents))
    return [[status, { headers: readHeaders(headers), bodies }] as const]
  })
  return Object.fromEntries(withJson)
}

/** Returns the status that a test gets a response with: 200 of a range or default of success; none of errors. */
function statusOf(response: Response): string | undefined {
  const { status, isSuccess } = response
  if (isListed(response)) {
    return status
  }
  return isSuccess && !status.startsWith('3') ? '200' : undefined
}

function isListed({ status }: Response): boolean {
  return /^\d+$/.test(status)
}

function readHeaders(headers: readonly Header[]) {
  const shown = headers.flatMap(({ name, isRequired, examples: { example } }) => {
    return isRequired && example !== undefined ? [[name, String(example)] as const] : []
  })
  return Object.fromEntries(shown)
}

/** Returns the examples of a media type, a parameter or a header, by name. */
export function examplesOf(
  { examples: stated }: { readonly examples: JsonObject },
  documents: Documents,
): readonly (readonly [name: string, value: unknown])[] {
  const { example, examples } = stated
  const named = Object.entries(toObject(examples)).map(
    ([name, value]) => [name, documents.followValue(value)['value']] as const,
  )
  return [['example', example] as const, ...named].filter(([, value]) => value !== undefined)
}
