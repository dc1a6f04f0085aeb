import { isScalar, parseDocument } from 'yaml'
import { DescriptionError } from '../pipeline/failure.ts'

/** Puts a version where some keys lead in a YAML or JSON text; every other character stays. */
export function stampVersion(text: string, keys: readonly string[], version: string): string {
  const node = parseDocument(text).getIn(keys, true)
  if (!isScalar(node) || !node.range) {
    throw new DescriptionError([`there is no ${keys.join('.')} to write the version ${version} to`])
  }
  const [start, end] = node.range
  const quote = /^["']/.exec(text.slice(start, end))?.[0] ?? ''
  return `${text.slice(0, start)}${quote}${version}${quote}${text.slice(end)}`
}
