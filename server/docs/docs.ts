import { createHash, hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import swaggerUi from 'swagger-ui-dist/package.json' with { type: 'json' }
import type { AnyResponse } from '../contract/handler-response.ts'
import type { JsonObject } from '../description/json.ts'
import { pagePrefixOf } from '../description/platform-paths.ts'
import type { Pages } from '../http/routes.ts'
import type { Api } from '../served-api.ts'

const swaggerFolder = new URL('.', import.meta.resolve('swagger-ui-dist/package.json'))
const swaggerPath = `try/${swaggerUi.version}`

const css = 'text/css; charset=utf-8'
const javaScript = 'text/javascript; charset=utf-8'

/** What the pages show of an API. */
type DocumentedApi = Pick<
  Api,
  'description' | 'operations' | 'basePath' | 'settings' | 'referencePage'
>

/**
 * Returns the pages that show the description of a service; `npm run reference` builds the reference page.
 * `served` is what `describe` makes of the description of the API; it makes the same of that in the page.
 */
export function createDocsPages(
  api: DocumentedApi,
  served: JsonObject,
  describe: (document: JsonObject) => JsonObject,
): Pages {
  const { description: ofApi, referencePage, basePath, settings } = api
  const prefix = pagePrefixOf(settings)
  const docs = `${prefix}/docs`
  const tryPage = createTryPage(`${docs}/try`, basePath)
  const toReference = createRedirect(docs)
  let reference: AnyResponse | undefined
  let readAt: number | undefined
  let yaml: string | undefined
  return {
    ...(isStartFree(api) ? { [prefix || '/']: () => toReference } : {}),
    [docs]() {
      const changedAt = statSync(referencePage, { throwIfNoEntry: false })?.mtimeMs
      // One that is of another description is not read again for each request.
      if (reference === undefined && changedAt !== readAt) {
        reference = readReference(ofApi, referencePage, describe)
        readAt = changedAt
      }
      return reference ?? notBuilt
    },
    [`${docs}/try`]: () => tryPage,
    [`${docs}/try/try.js`]: asset(new URL('try.js', import.meta.url), javaScript, 'no-cache'),
    [`${docs}/${swaggerPath}/swagger-ui.css`]: asset(new URL('swagger-ui.css', swaggerFolder), css),
    [`${docs}/${swaggerPath}/swagger-ui-bundle.js`]: asset(
      new URL('swagger-ui-bundle.js', swaggerFolder),
      javaScript,
    ),
    [`${prefix}/openapi.json`]: () => ({ status: 200, body: served }),
    async [`${prefix}/openapi.yaml`]() {
      // Loading it takes a tenth of a start.
      const { stringify } = await import('yaml')
      // Readers of YAML 1.1 take a date without quotes for no text.
      const options = { lineWidth: 100, aliasDuplicateObjects: false, compat: 'yaml-1.1' } as const
      yaml ??= stringify(served, options)
      // RFC 9512
      return { status: 200, body: yaml, mediaType: 'application/yaml' }
    },
  }
}

/** Returns the reference page, or undefined when it was not built from the description of the API. */
function readReference(
  ofApi: JsonObject,
  page: URL,
  describe: (document: JsonObject) => JsonObject,
): AnyResponse | undefined {
  const built = readFileSync(page, 'utf8')
  if (!built.includes(hash('sha256', JSON.stringify(ofApi)))) {
    return undefined
  }
  // The page shows what is in this object; the HTML beside it has no part that depends on the service.
  const text = built.replace(definition, (_, start: string, json: string) => {
    const shown = JSON.stringify(describe(JSON.parse(json)))
    return start + shown.replaceAll('<', '\\u003c')
  })
  const scripts = findScripts(text).map((script) =>
    createHash('sha256').update(script).digest('base64'),
  )
  // Redoc writes its styles into the page and loads nothing. It searches without workers, too.
  return toPage(text, [
    `script-src ${scripts.map((digest) => `'sha256-${digest}'`).join(' ')}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
  ])
}

/** The description in the reference page. */
const definition = /^([ \t]*const __redoc_definition = )(\{.*\})(?=;$)/m

/** Returns the contents of the `script` elements of a page. */
function findScripts(page: string): readonly string[] {
  // A script may contain the text of a start tag, but no end tag.
  const parts = page.split('</script>').slice(0, -1)
  return parts.map((part) => {
    const startTag = part.indexOf('<script')
    return part.slice(part.indexOf('>', startTag) + 1)
  })
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
    mediaType: 'text/plain; charset=utf-8',
    body: `The reference is at ${reference}\n`,
  }
}

const notBuilt: AnyResponse = {
  status: 404,
  mediaType: 'text/plain; charset=utf-8',
  body: `The reference page has not been built from the description that is served.
Run: npm run reference (npm run dev builds it after each save: reload the page)
Available without it: docs/try, openapi.json, openapi.yaml
`,
}

/** Returns the page to try operations; `path` is its own, which leads to the root of the service. */
function createTryPage(path: string, basePath: string): AnyResponse {
  return toPage(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try the operations</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${swaggerPath}/swagger-ui.css">
<script src="${swaggerPath}/swagger-ui-bundle.js" defer></script>
<script src="try/try.js" type="module"></script>
</head>
<body><main id="try" data-path="${path}" data-base-path="${basePath.replaceAll('&', '&amp;')}"></main></body>
</html>
`,
    ["script-src 'self'", "style-src 'self'", 'img-src data:', "connect-src 'self'"],
  )
}

function toPage(body: string, sources: readonly string[]): AnyResponse {
  const policy = [
    "default-src 'none'",
    ...sources,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  const headers = {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-cache',
  }
  return { status: 200, headers, body: Buffer.from(body), mediaType: 'text/html; charset=utf-8' }
}

function asset(file: URL, mediaType: string, caching = 'public, max-age=31536000, immutable') {
  let body: Buffer | undefined
  return (): AnyResponse => {
    body ??= readFileSync(file)
    return { status: 200, headers: { 'Cache-Control': caching }, body, mediaType }
  }
}
