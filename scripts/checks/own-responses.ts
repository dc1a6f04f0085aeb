import type { Operation } from '../../server/contract/operation.ts'
import { readBundled } from '../../server/description/description-reader.ts'
import { textsOfSchemes } from '../../server/security/scheme-texts.ts'
import { explain, findOwnViolations } from '../../server/start-up/own-responses-check.ts'
import { readBasePath, readOperations } from '../pipeline/operations.ts'
import { readServiceFile } from '../pipeline/service-file.ts'
import { Sources } from '../pipeline/sources.ts'

/**
 * Checks that a description allows what the service itself sends: its error responses, and the headers of
 * every response. `json` is the compiled description; returns a line for each place in the files that does not.
 */
export function checkOwnResponses(spec: string, json: string): readonly string[] {
  const description = readBundled(JSON.parse(json))
  const { settings } = readServiceFile(spec)
  const contract = {
    description,
    // The table is printed, and then read as rows of this type.
    operations: readOperations(description, settings) as unknown as Readonly<
      Record<string, Operation>
    >,
    basePath: readBasePath(description),
    settings,
  }
  // Authenticators are code of the API, which is not loaded here.
  const texts = textsOfSchemes(description)
  const violations = findOwnViolations(contract, texts, true)
  if (violations.length === 0) {
    return []
  }
  const sources = new Sources(spec)
  return violations.map((violation) => {
    return `${sources.locate(violation.keys)} own-responses ${explain(violation)}`
  })
}
