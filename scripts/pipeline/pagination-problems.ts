import type { Description } from '../../server/description/description.ts'
import { paginationKey, paginationProblems } from '../../server/description/pagination.ts'
import { toPointer } from '../../server/description/pointer.ts'
import { DescriptionError } from './failure.ts'
import type { ServiceFile } from './service-file.ts'
import { SourceFile } from './source-file.ts'
import { Sources } from './sources.ts'

/** Throws the problems of paginations, where they are written. */
export function rejectInvalidPagination(
  spec: string,
  { operations, documents }: Description,
  serviceFile: ServiceFile,
): void {
  const lines = operations.flatMap((operation) => {
    const problems = paginationProblems(operation, documents)
    if (problems.length === 0) {
      return []
    }

    const isOwn = serviceFile.operations.get(operation.name)?.[paginationKey] !== undefined
    const keys = ['paths', operation.path, operation.method.toLowerCase(), paginationKey]
    const at = isOwn
      ? new SourceFile(serviceFile.file).locationOf(
          toPointer(['operations', operation.name, 'pagination']),
        )
      : new Sources(spec).locate(keys)
    return problems.map((problem) => `${at} pagination ${problem}`)
  })
  if (lines.length > 0) {
    throw new DescriptionError(lines)
  }
}
