import type { Operation } from '../../server/description/description.ts'
import { nameReplacement } from './call-rows.ts'

/** A parameter of a method, as its comment has it. */
interface DescribedArgument {
  readonly name: string
  readonly description?: string | undefined
}

/** Prints the comment of a method, which an editor shows; it strikes through what is deprecated. */
export function printMethodComment(
  { texts, deprecation }: Operation,
  values: readonly DescribedArgument[],
): string {
  const { isDeprecated, sunset } = deprecation
  const replacement = nameReplacement(deprecation)
  const until = sunset === undefined ? '' : ` It will be removed on ${sunset}.`
  const instead = replacement === undefined ? '' : ` Use ${replacement} instead.`
  const { summary, description } = texts
  const written = [summary, description].filter((text) => typeof text === 'string')
  const tags = values.flatMap(({ name, description: text }) => {
    return text === undefined ? [] : [`@param ${name} ${text}`]
  })
  if (isDeprecated) {
    tags.push(`@deprecated${until}${instead}`)
  }
  const paragraphs = [...written.map((text) => [text]), tags].filter((lines) => lines.length > 0)
  const lines = paragraphs.flatMap((part) => ['', ...part.flatMap(toLines)]).slice(1)
  return lines.length === 0 ? '' : printLines(lines, '  ')
}

/** Prints a comment with a text; nothing without one. */
export function printComment(text: unknown, indent = ''): string {
  const [line = '', ...more] = typeof text === 'string' ? toLines(text) : []
  const oneLine = line === '' ? '' : `${indent}/** ${line} */\n`
  return more.length === 0 ? oneLine : printLines([line, ...more], indent)
}

function toLines(text: string): readonly string[] {
  return text.trim().replaceAll('*/', '*\\/').split(/\r?\n/)
}

function printLines(lines: readonly string[], indent: string): string {
  const inside = lines.map((line) => `${indent} * ${line}`.trimEnd())
  return [`${indent}/**`, ...inside, `${indent} */\n`].join('\n')
}
