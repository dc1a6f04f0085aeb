import type { Description } from '../../server/description/description.ts'
import { toObject } from '../../server/description/json.ts'
import {
  paginationKey,
  paginationKeys,
  paginationProblems,
} from '../../server/description/pagination.ts'
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
  const repeated = repeatedPagination(spec, serviceFile)
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
  if (repeated.length + lines.length > 0) {
    throw new DescriptionError([...repeated, ...lines])
  }
}

/** Returns a line for each operation whose pagination is declared in the description and in `service.yaml`. */
function repeatedPagination(spec: string, { file, operations }: ServiceFile): readonly string[] {
  const named = [...operations].filter(([, settings]) => settings[paginationKey] !== undefined)
  if (named.length === 0) {
    return []
  }

  const sources = new Sources(spec)
  const source = new SourceFile(file)
  return named.flatMap(([name]) => {
    const [method = '', path = ''] = name.split(/ (.*)/)
    const keys = ['paths', path, method.toLowerCase()]
    const declared = toObject(sources.documents.tryFollow(sources.documents.locate(keys)).value)
    const key = paginationKeys.find((each) => declared[each] !== undefined)
    if (key === undefined) {
      return []
    }
    const at = source.locationOf(toPointer(['operations', name, 'pagination']))
    const other = sources.locate([...keys, key])
    return [
      `${at} pagination ${name} has ${key} in the description, too (${other}); keep one of them.`,
    ]
  })
}
