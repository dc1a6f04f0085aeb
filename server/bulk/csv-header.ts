import type { Column } from './columns.ts'
import { FileFault } from './file-fault.ts'

/** What a column of a file is: a field, or nothing that is read. */
export type HeaderColumn = Column | undefined

/** The columns that a file may have. */
export interface KnownColumns {
  readonly columns: readonly Column[]
  /** Fields that the service gives; a file has them where they are to be left out. */
  readonly given: readonly string[]
  readonly leftOut: ReadonlySet<string>
}

/** Reads the first record of a file, which names its columns in any order. */
export function readHeader(names: readonly string[], known: KnownColumns): HeaderColumn[] {
  const { columns, given, leftOut } = known
  const list = columns.map(({ name }) => name).join(', ')
  const refuse = (why: string): never => {
    throw new FileFault(`Line 1 must name the columns, which are ${list}: ${why}.`)
  }
  const header = names.map((name, index) => {
    if (names.indexOf(name) < index) refuse(`${JSON.stringify(name)} is there twice`)
    if (leftOut.has(name)) return undefined
    if (given.includes(name)) {
      refuse(`the service itself gives ${name}. To give new ones, add --new-ids`)
    }
    const column = columns.find((candidate) => candidate.name === name)
    return column ?? refuse(`${JSON.stringify(name.slice(0, 40))} is not a column`)
  })
  for (const column of columns) {
    if (column.isRequired && !header.includes(column)) refuse(`${column.name} is missing`)
  }
  return header
}
