import { kindOf } from '../../server/description/content-kind.ts'
import type {
  Description,
  Header,
  Operation,
  Response,
} from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import { readExamples } from '../../server/description/example-values.ts'
import type { JsonObject } from '../../server/description/json.ts'
import { isJsonType, json, jsonTypesOf } from '../../server/description/media-types.ts'
import { idOf } from '../../server/description/operations.ts'
import { servedOperations } from '../../server/description/unserved.ts'
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
  const withContent = [...ranges, ...responses.filter(isListed)].flatMap((response) => {
    const { headers, content } = response
    const media = content.find(({ name }) => isJsonType(name)) ?? content[0]
    const status = statusOf(response)
    if (media === undefined || status === undefined) {
      return []
    }
    // A file or a stream in a description says little about one.
    const isShown = ['json', 'text'].includes(kindOf(media.name))
    const bodies = isShown ? Object.fromEntries(examplesOf(media, documents)) : {}
    const [mediaType = media.name] = jsonTypesOf([media.name])
    // A response of a test has the usual type without a header.
    const isUsual = mediaType === json || mediaType.includes('*')
    const ofType = isUsual ? {} : { 'Content-Type': mediaType }
    return [[status, { headers: { ...ofType, ...readHeaders(headers) }, bodies }] as const]
  })
  return Object.fromEntries(withContent)
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
  const requiredHeaders = headers.flatMap(({ name, isRequired, examples: { example } }) => {
    return isRequired && example !== undefined ? [[name, String(example)] as const] : []
  })
  return Object.fromEntries(requiredHeaders)
}

/** Returns the examples of a media type, a parameter or a header, by name. */
function examplesOf(
  { examples: stated }: { readonly examples: JsonObject },
  documents: Documents,
): readonly (readonly [name: string, value: unknown])[] {
  return [...readExamples(stated, documents)]
}
