import { hash } from 'node:crypto'
import { mkdtempDisposable, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Operation } from '../../server/description/description.ts'
import { readDescription } from '../../server/description/description-reader.ts'
import { toDocuments } from '../../server/description/documents.ts'
import { type JsonObject, toObject } from '../../server/description/json.ts'
import { servedOperations } from '../../server/description/operations.ts'
import { codeSamples, sampleLanguages } from './code-samples.ts'
import { runRedocly } from './programs.ts'

/** The file of a folder of artifacts that is built from its openapi.json, and not committed. */
export const referencePage = 'reference.html'

const pageOptions = {
  downloadUrls: ['openapi.json', 'openapi.yaml'].map((name) => ({ title: name, url: name })),
  codeSamples: { languages: sampleLanguages },
}

/**
 * Builds the reference page of a folder of artifacts, without `force` only when the page there is of
 * another description.
 */
export async function buildReferencePage(
  folder: string,
  { signal, force = true }: { signal?: AbortSignal; force?: boolean } = {},
): Promise<void> {
  const description: JsonObject = JSON.parse(await readFile(join(folder, 'openapi.json'), 'utf8'))
  // The service compares it with the description that it serves.
  const mark = `<!-- sha256 of the description: ${hash('sha256', JSON.stringify(description))} -->`
  const page = join(folder, referencePage)
  if (!force && (await readFile(page, 'utf8').catch(() => '')).includes(mark)) {
    return
  }
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'reference-'))
  const input = join(temporary.path, 'openapi.json')
  const config = join(temporary.path, 'redocly.yaml')
  const output = join(temporary.path, 'page.html')
  await writeFile(input, JSON.stringify(describeForPage(description)))
  await writeFile(config, JSON.stringify({ openapi: pageOptions }))
  const args = ['build-docs', input, '--output', output, '--inlineBundle', '--config', config]
  const { errors } = await runRedocly(args, signal)
  const html = await readFile(output, 'utf8').catch(() => {
    throw new Error(`redocly build-docs wrote no page: ${errors}`)
  })
  await writeFile(`${page}.${process.pid}.tmp`, `${withoutRemoteLogo(html)}${mark}\n`)
  await rename(`${page}.${process.pid}.tmp`, page)
}

/** Returns a description with code samples, removal dates in words, and a link to try calls. */
export function describeForPage(root: JsonObject): JsonObject {
  const description = structuredClone(root)
  const info = toObject(description['info'])
  Object.assign(info, {
    description: joinParagraphs(
      info['description'],
      '[Try the operations in the browser](docs/try)',
    ),
  })
  // Not normalised: its objects are changed in place.
  const model = readDescription(toDocuments(description))
  for (const operation of servedOperations(model)) {
    const written = model.documents.at(operation.at)
    Object.assign(toObject(written.value), {
      description: joinParagraphs(removalNotice(operation), operation.texts['description']),
      'x-codeSamples': codeSamples(model, operation),
    })
  }
  return description
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

function removalNotice({ deprecation }: Operation): string {
  const { isDeprecated, since, sunset, replacement } = deprecation
  if (!isDeprecated) {
    return ''
  }
  const { operationId, description = operationId } = replacement
  return [
    since === undefined ? '**Deprecated.**' : `**Deprecated since ${inWords(since)}.**`,
    ...(sunset === undefined ? [] : [`It will be removed on **${inWords(sunset)}**.`]),
    ...(operationId === undefined
      ? []
      : [`Use [${description}](#operation/${operationId}) instead.`]),
  ].join(' ')
}

/** Returns a date such as 2030-12-05 in words; any other text as it is. */
function inWords(date: unknown): string {
  const time = Date.parse(String(date))
  return Number.isNaN(time) ? String(date) : dates.format(time)
}

function joinParagraphs(...texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === 'string' && text !== '').join('\n\n')
}

// Redoc loads its logo from its own host, which the page may not do.
function withoutRemoteLogo(html: string): string {
  const logo = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="48" height="16"><text y="12" font-size="12" font-family="sans-serif" fill="gray">Redoc</text></svg>')}`
  return html.replaceAll(/https:\/\/cdn\.redoc\.ly\/redoc\/[\w-]+\.svg/g, logo)
}
