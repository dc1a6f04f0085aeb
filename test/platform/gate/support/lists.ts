import { isSeq } from 'yaml'
import type { Edit } from '../../pipeline/support/spec-edit.ts'

/** A parameter that nobody knew of. */
export function parameter(required: boolean) {
  return {
    name: 'owner',
    in: 'query',
    required,
    description: 'Whose animals.',
    schema: { type: 'string' },
    example: 'me',
  }
}

/** Adds an entry to a list. */
export function append(path: string, value: unknown): Edit {
  return (description) => description.addIn(path.split(' '), value)
}

/** Takes an entry out of a list. */
export function drop(path: string, value: string): Edit {
  return (description) => {
    const list = description.getIn(path.split(' '))
    const index = isSeq(list) ? list.items.findIndex((item) => String(item) === value) : -1
    if (!description.deleteIn([...path.split(' '), index]))
      throw new Error(`no ${value} in ${path}`)
  }
}
