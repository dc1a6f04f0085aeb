import { type JsonObject, toList, toObject } from '../../server/description/json.ts'
import { valueAt } from '../../server/description/pointer.ts'
import type { Follow } from './called-operations.ts'
import { errorCodeName, type PlatformFile } from './platform-file.ts'
import { extensibleKey } from './rules/extensible-enum.ts'

const pointer = `#/components/schemas/${errorCodeName}`

/** Adds the platform's codes of errors to the list of those that a description declares, in place. */
export function addErrorCodes(
  root: JsonObject,
  file: string,
  follow: Follow,
  platform: PlatformFile,
): void {
  // A schema of this name that is not the platform's with changes has codes of its own.
  if (platform.replacements.get(pointer) !== pointer) {
    return
  }

  const platformCodes = toList(toObject(valueAt(platform.root, pointer))['enum'])
  const declared = toObject(follow({ value: valueAt(root, pointer), file, pointer }).value)

  for (const keyword of ['enum', extensibleKey]) {
    const codes = declared[keyword]
    if (!Array.isArray(codes)) {
      continue
    }
    const ownCodes = codes.filter((code) => !platformCodes.includes(code))
    Object.assign(declared, { [keyword]: [...platformCodes, ...ownCodes] })
  }
}
