import { readFileSync } from 'node:fs'
import { projectPath } from '../pipeline/project.ts'
import type { Location } from './state.ts'

/** A line of a file, and what is meant in it. */
interface Meant extends Omit<Location, 'column'> {
  readonly columns: readonly number[]
  readonly texts: readonly string[]
}

/** A line of a file. */
interface SourceLine {
  readonly number: number
  /** Without the indentation that all lines of the excerpt have. */
  readonly text: string
}

/** Where a part of a line begins and ends. */
interface Mark {
  readonly from: number
  readonly to: number
}

/** The lines around a location. */
export interface Excerpt {
  readonly lines: readonly SourceLine[]
  /** The number of the line that is meant. */
  readonly marked: number
  /** The parts of that line that are meant, in their order. */
  readonly marks: readonly Mark[]
  /** The indentation of that line. */
  readonly indentation: number
}

/** How many lines before and after the one that is meant belong to an excerpt. */
const context = 2
/** How many characters of a line are shown. */
const maxLength = 300

/** Reads files for excerpts, each file once. */
export class ExcerptReader {
  readonly #files = new Map<string, readonly string[]>()

  /**
   * Returns the lines around a line of a file; undefined if the file does not have it. What is at the columns is
   * marked, and the texts are, where the line has them.
   */
  read({ file, line, columns, texts }: Meant): Excerpt | undefined {
    const linesOfFile = this.#linesOf(file)
    const text = linesOfFile[line - 1]
    if (text === undefined) {
      return undefined
    }

    const first = Math.max(0, line - 1 - context)
    const linesAround = linesOfFile.slice(first, line + context)
    const writtenLines = linesAround.filter((each) => each.trim() !== '')
    const indentation = Math.min(...writtenLines.map(indentationOf))
    const cut = (each: string) => each.slice(indentation, indentation + maxLength)
    const lines = linesAround.map((each, index) => ({ number: first + index + 1, text: cut(each) }))

    const markedText = cut(text)
    const marks = mergeMarks([
      ...columns.map((column) => markAt(markedText, column - 1 - indentation)),
      ...texts.map((each) => markOf(markedText, each)),
    ])
    const indentationInExcerpt = Math.max(0, indentationOf(text) - indentation)
    return { lines, marked: line, marks, indentation: indentationInExcerpt }
  }

  #linesOf(file: string): readonly string[] {
    return this.#files.getOrInsertComputed(file, readLines)
  }
}

/** Returns where the word, the quoted text or the flow collection at an offset of a line is. */
function markAt(line: string, from: number): Mark {
  const pattern = /^(?:[{[].*[}\]]|["'][^"']*["']|[\w$./#-]+|.)/
  const [word = ''] = pattern.exec(line.slice(from)) ?? []
  return { from, to: from + word.length }
}

/** Returns where a text is in a line; an empty part if it is not there. */
function markOf(line: string, text: string): Mark {
  const from = line.indexOf(text)
  return from < 0 ? { from: 0, to: 0 } : { from, to: from + text.length }
}

/** Returns parts of a line in their order, without empty ones; parts that overlap become one. */
function mergeMarks(marks: readonly Mark[]): readonly Mark[] {
  const merged: Mark[] = []
  for (const mark of marks.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1)
    if (last !== undefined && mark.from < last.to) {
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, mark.to) }
    } else if (mark.to > mark.from) {
      merged.push(mark)
    }
  }
  return merged
}

/** Returns the lines of a file; none if it cannot be read, because it may be gone by now. */
function readLines(file: string): readonly string[] {
  try {
    return readFileSync(projectPath(file), 'utf8').split(/\r?\n/)
  } catch {
    return []
  }
}

function indentationOf(line: string): number {
  return line.length - line.trimStart().length
}
