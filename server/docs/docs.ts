import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { AnyResponse } from '../contract/handler-response.ts'
import { readBundled } from '../description/description-reader.ts'
import type { JsonObject } from '../description/json.ts'
import { pagePrefixOf } from '../description/platform-paths.ts'
import { CompressedContent, compress } from '../http/compressed-content.ts'
import type { Pages } from '../http/routes.ts'
import type { Api } from '../served-api.ts'
import { createReferencePage } from './reference-page.ts'
import { readCodeSamples } from './text/code-samples.ts'

/** What the pages show of an API. */
type DocumentedApi = Pick<
  Api,
  'description' | 'operations' | 'basePath' | 'settings' | 'codeSamples'
>

/** The script of the reference page; `npm run reference` builds both files. */
const script = new URL('../../generated/reference/scalar.js', import.meta.url)
const compressedScript = { br: new URL(`${script}.br`), gzip: new URL(`${script}.gz`) }

const plainText = 'text/plain; charset=utf-8'
/** RFC 7763 */
const markdown = 'text/markdown; charset=utf-8'
const javaScript = 'text/javascript; charset=utf-8'

/** Returns the pages that show the description of a service, which is `served`; they name its tools if it has some. */
export function createDocsPages(
  api: DocumentedApi,
  served: JsonObject,
  { hasTools }: { readonly hasTools: boolean },
): Pages {
  const { description, codeSamples, basePath, settings } = api
  const prefix = pagePrefixOf(settings)
  const docs = `${prefix}/docs`
  const toReference = createRedirect(docs)
  return {
    ...(isStartFree(api) ? { [prefix || '/']: () => toReference } : {}),
    [docs]: once(async () => {
      if (!isScriptBuilt()) {
        return notBuilt
      }
      // Loaded here, because it loads the library that makes values of schemas.
      const { describeForPage } = await import('./page-description.ts')
      const samples = readCodeSamples(codeSamples, description)
      const pageDescription = describeForPage(served, samples)
      return createReferencePage(pageDescription, { path: docs, basePath })
    }),
    [`${docs}/`]: () => toReference,
    [`${docs}/page.js`]: once(async () => {
      const text = await readFile(new URL('page.js', import.meta.url), 'utf8')
      return toDocument(text, javaScript)
    }),
    [`${docs}/scalar.js`]: once(readScript),
    [`${docs}/index.md`]: once(async () => {
      const { printReference } = await loadTexts()
      const samples = readCodeSamples(codeSamples, description)
      return toDocument(printReference(readBundled(served), samples), markdown)
    }),
    [`${prefix}/llms.txt`]: once(async () => {
      const { printOverview } = await loadTexts()
      const mcpPath = hasTools ? `${prefix}/mcp` : undefined
      return toDocument(printOverview(readBundled(served), mcpPath), plainText)
    }),
    [`${prefix}/openapi.json`]: once(() => {
      return toDocument(JSON.stringify(served), 'application/json')
    }),
    [`${prefix}/openapi.yaml`]: once(async () => {
      // Loading it takes a tenth of a start.
      const { stringify } = await import('yaml')
      // Readers of YAML 1.1 take a date without quotes for no text.
      const options = { lineWidth: 100, aliasDuplicateObjects: false, compat: 'yaml-1.1' } as const
      // RFC 9512
      return toDocument(stringify(served, options), 'application/yaml')
    }),
  }
}

/** Loads the functions that print the reference as text, which the start does not need. */
function loadTexts() {
  return import('./text/reference-text.ts')
}

/** Returns a function that creates a response once, and again only if that has failed. */
function once(create: () => Promise<AnyResponse>): () => Promise<AnyResponse> {
  let created: Promise<AnyResponse> | undefined
  return async () => {
    created ??= create()
    let isCreated = false
    try {
      const response = await created
      isCreated = response.status === 200
      return response
    } finally {
      if (!isCreated) {
        created = undefined
      }
    }
  }
}

async function toDocument(text: string, mediaType: string): Promise<AnyResponse> {
  const headers = { 'Cache-Control': 'no-cache' }
  return { status: 200, headers, body: await compress(text), mediaType }
}

/** Returns the script of the reference page, or 404 if it was not built. */
async function readScript(): Promise<AnyResponse> {
  if (!isScriptBuilt()) {
    return notBuilt
  }
  const [br, gzip] = await Promise.all([
    readFile(compressedScript.br),
    readFile(compressedScript.gzip),
  ])
  const headers = { 'Cache-Control': 'no-cache' }
  const body = new CompressedContent({ br, gzip })
  return { status: 200, headers, body, mediaType: javaScript }
}

function isScriptBuilt(): boolean {
  return existsSync(compressedScript.br) && existsSync(compressedScript.gzip)
}

/** Returns whether the API has no operation where the redirect to the reference would be. */
function isStartFree({ operations, basePath, settings }: DocumentedApi): boolean {
  const start = pagePrefixOf(settings) || '/'
  return Object.values(operations).every(({ path }) => basePath + path !== start)
}

/** Returns the redirect to the reference. */
function createRedirect(reference: string): AnyResponse {
  return {
    // Not permanent: browsers would keep a redirect even if another service has the address later.
    status: 302,
    headers: { Location: reference, 'Cache-Control': 'no-cache' },
    mediaType: plainText,
    body: `The reference is at ${reference}\n`,
  }
}

const notBuilt: AnyResponse = {
  status: 404,
  mediaType: plainText,
  body: `The reference page has not been built.
Run: npm run reference
Available without it: docs/index.md, openapi.json, openapi.yaml
`,
}
