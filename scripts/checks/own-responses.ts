import type { ErrorFormat } from '../../server/contract/error-format.ts'
import type { Operation } from '../../server/contract/operation.ts'
import { readBundled } from '../../server/description/description-reader.ts'
import { textsOfSchemes } from '../../server/security/scheme-texts.ts'
import type { OwnViolation } from '../../server/start-up/group-check.ts'
import { explain, findOwnViolations } from '../../server/start-up/own-responses-check.ts'
import { readBasePath, readOperations } from '../pipeline/operations.ts'
import { projectSpec } from '../pipeline/project.ts'
import { readServiceFile } from '../pipeline/service-file.ts'
import { Sources } from '../pipeline/sources.ts'

/** What a check found: errors, and declared error responses that differ from the format of the API. */
interface Findings {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** Checks the responses of the service of this project; `json` is its compiled description. */
export async function checkProjectResponses(json: string): Promise<Findings> {
  const loaded = await loadErrorFormat()
  if ('error' in loaded) {
    return { errors: [loaded.error], warnings: [] }
  }
  return checkOwnResponses(projectSpec, json, loaded.errorFormat)
}

/** Loads the format of errors; returns a line if the code of the API cannot be loaded. */
async function loadErrorFormat(): Promise<
  { readonly errorFormat: ErrorFormat } | { readonly error: string }
> {
  try {
    const { errorFormat } = await import('../../server/api/error-format.ts')
    return { errorFormat }
  } catch (error) {
    const [reason] = String(error).split('\n')
    return { error: `server/api/error-format.ts cannot be loaded: ${reason}` }
  }
}

/**
 * Checks that a description allows what the service itself sends: its error responses in the format of the
 * API, and the headers of every response. `json` is the compiled description; each line has the place in the
 * files that does not.
 */
export function checkOwnResponses(spec: string, json: string, errorFormat: ErrorFormat): Findings {
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
  const violations = findOwnViolations({ contract, errorFormat, texts, rateLimits: true })
  if (violations.length === 0) {
    return { errors: [], warnings: [] }
  }

  const sources = new Sources(spec)
  const toLine = (violation: OwnViolation) => {
    const rule = violation.isOfFormat ? 'error-format' : 'own-responses'
    return `${sources.locate(violation.keys)} ${rule} ${explain(violation)}`
  }
  return {
    errors: violations.filter(({ isOfFormat }) => !isOfFormat).map(toLine),
    warnings: violations.filter(({ isOfFormat }) => isOfFormat).map(toLine),
  }
}
