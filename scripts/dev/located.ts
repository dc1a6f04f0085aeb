import type { Location } from './state.ts'

/** A text of the pipeline, without the location that it begins with. */
interface LocatedText {
  readonly at: Location | undefined
  readonly text: string
}

/** Splits a text of the pipeline that may begin with `file:line:column` or `file:line`. */
export function splitLocation(whole: string): LocatedText {
  const [head, file, line, column] = /^(\S+?):(\d+)(?::(\d+))? /.exec(whole) ?? []
  if (head === undefined || file === undefined) {
    return { at: undefined, text: whole }
  }
  const at = { file, line: Number(line), column: Number(column ?? 1) }
  return { at, text: whole.slice(head.length) }
}
