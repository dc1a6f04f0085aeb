import type { JsonObject } from '../../server/description/json.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { shortPath } from '../pipeline/project.ts'
import { lintConverted } from './rejected.ts'

/** Throws if a converted description breaks a rule that the platform needs; `file` is the one before the conversion. */
export async function rejectInvalid(file: string, description: JsonObject): Promise<void> {
  const problems = await lintConverted(description)
  const needed = problems.filter(({ severity }) => severity === 'error')
  if (needed.length === 0) {
    return
  }

  const advice = 'nothing was changed; fix this in your description, and run init again:'
  const lines = needed.map(
    ({ rule, message, pointer }) => `${shortPath(file)}${pointer} ${rule} ${message}`,
  )
  throw new DescriptionError([advice, ...new Set(lines)])
}
