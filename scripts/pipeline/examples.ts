import type { Description, Header, Operation } from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import { type JsonObject, toObject } from '../../server/description/json.ts'
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
  const withJson = responses.flatMap(({ status, headers, content }) => {
    const media = content.find(({ name }) => /\bjson$/.test(name))
    if (media === undefined) {
      return []
    }
    const bodies = Object.fromEntries(examplesOf(media, documents))
    return [[status, { headers: readHeaders(headers), bodies }] as const]
  })
  return Object.fromEntries(withJson)
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
