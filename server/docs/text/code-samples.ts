import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { Description } from '../../description/description.ts'
import type { JsonObject } from '../../description/json.ts'
import { basePathOf } from '../../description/servers.ts'

/** A sample of a call in a language, as `x-codeSamples` has it. */
export type CodeSample = {
  readonly lang: string
  readonly label: string
  readonly source: string
}

/** The samples of each operation, by its name in code. */
export type CodeSamples = Readonly<Record<string, readonly CodeSample[]>>

/** The file with the samples. It is built, not committed, and names the description that it was built from. */
export interface CodeSamplesFile {
  readonly description: string
  readonly samples: CodeSamples
}

/** Stands for the URL of the API in samples, where each has it first; `page.js` writes its own service in its place. */
export const baseUrlPlaceholder = '{baseUrl}'

/** Returns a sample that calls the API at a URL. */
export function withBaseUrl(sample: CodeSample, baseUrl: string): CodeSample {
  return { ...sample, source: sample.source.replace(baseUrlPlaceholder, () => baseUrl) }
}

/** Returns the URL of the API in a text: that of the first server with a host, or where `npm start` serves it. */
export function usualBaseUrl({ servers }: Pick<Description, 'servers'>): string {
  const urls = servers.map(({ defaultUrl }) => defaultUrl)
  const absolute = urls.find((url) => /^https?:/.test(url))
  return absolute ?? `http://127.0.0.1:3000${basePathOf(urls[0] ?? '')}`
}

/** Returns what identifies a description. */
export function digestOf(description: JsonObject): string {
  return hash('sha256', JSON.stringify(description))
}

/** Reads the samples of a description; undefined if they were not built from it. */
export function readCodeSamples(file: URL, description: JsonObject): CodeSamples | undefined {
  if (!existsSync(file)) {
    return undefined
  }
  const built: CodeSamplesFile = JSON.parse(readFileSync(file, 'utf8'))
  return built.description === digestOf(description) ? built.samples : undefined
}
