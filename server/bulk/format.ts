import { extname } from 'node:path'

/** What a file of animals may be: a table of text (RFC 4180), or a line of JSON for each animal. */
export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

/** The format of a name, such as that of an option. */
export function toFormat(name: string): Format | undefined {
  return formats.find((format) => format === name)
}

/** The format that a file is in, by its name. */
export function formatOf(file: string): Format | undefined {
  return toFormat(extname(file).slice(1).toLowerCase())
}
