import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { toObject, toText } from '../../server/description/json.ts'
import type { ErrorSettings } from '../../server/description/settings.ts'

/** Returns what the `service.yaml` beside a description says of errors; undefined if it says nothing. */
export function readErrorSettings(file: string): ErrorSettings | undefined {
  const settings = join(dirname(file), 'service.yaml')
  if (!existsSync(settings)) {
    return undefined
  }

  const { errors } = readYaml(settings)
  if (errors === undefined) {
    return undefined
  }

  const mediaType = toText(toObject(errors)['mediaType'])
  const schema = toText(toObject(errors)['schema'])
  return { ...(mediaType && { mediaType }), ...(schema && { schema }) }
}

/** Reads a file; what is wrong with it is reported where its settings are validated. */
function readYaml(file: string) {
  try {
    return toObject(parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}
