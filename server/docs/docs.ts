import { createHash, hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import swaggerUi from 'swagger-ui-dist/package.json' with { type: 'json' }
import type { Description } from '../contract/description.ts'
import type { AnyResponse } from '../contract/handler.ts'
import type { Pages } from '../contract/routes.ts'

const swaggerFolder = new URL('.', import.meta.resolve('swagger-ui-dist/package.json'))
const swaggerPath = `try/${swaggerUi.version}`

const html = 'text/html; charset=utf-8'
const css = 'text/css; charset=utf-8'
const javaScript = 'text/javascript; charset=utf-8'

/** Returns the pages that show a description; `npm run reference` builds the reference page. */
export function createDocsPages(description: Description, referencePage: URL): Pages {
  let reference: AnyResponse | undefined
  let yaml: Promise<string> | undefined
  return {
    async '/docs'() {
      reference ??= await readReference(description, referencePage)
      return reference ?? notBuilt
    },
    '/docs/try': () => tryPage,
    '/docs/try/try.js': asset(new URL('try.js', import.meta.url), javaScript, 'no-cache'),
    [`/docs/${swaggerPath}/swagger-ui.css`]: asset(new URL('swagger-ui.css', swaggerFolder), css),
    [`/docs/${swaggerPath}/swagger-ui-bundle.js`]: asset(
      new URL('swagger-ui-bundle.js', swaggerFolder),
      javaScript,
    ),
    '/openapi.json': () => ({ status: 200, body: description }),
    '/openapi.yaml': async () => {
      yaml ??= toYaml(description)
      // RFC 9512
      return { status: 200, body: await yaml, mediaType: 'application/yaml' }
    },
  }
}

/** Returns the reference page, or undefined when it was not built from this description. */
async function readReference(
  description: Description,
  page: URL,
): Promise<AnyResponse | undefined> {
  const text = await readFile(page, 'utf8').catch(() => '')
  if (!text.includes(hash('sha256', JSON.stringify(description)))) return undefined
  const scripts = Array.from(text.matchAll(/<script[^>]*>(.*?)<\/script>/gs), ([, script = '']) =>
    createHash('sha256').update(script).digest('base64'),
  )
  // Redoc writes its styles into the page and loads nothing. It searches without workers, too.
  return toPage(200, text, [
    `script-src ${scripts.map((digest) => `'sha256-${digest}'`).join(' ')}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
  ])
}

const notBuilt = toPage(
  404,
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>No reference page</title>
<h1>No reference page</h1>
<p>It has not been built from the description that is served. Run <code>npm run reference</code> and reload.</p>
<p>Available without it: <a href="docs/try">try the operations</a>, <a href="openapi.json">openapi.json</a>, <a href="openapi.yaml">openapi.yaml</a>.</p>
</html>
`,
  [],
)

const tryPage = toPage(
  200,
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
<body><main id="try"></main></body>
</html>
`,
  ["script-src 'self'", "style-src 'self'", 'img-src data:', "connect-src 'self'"],
)

function toPage(status: number, body: string, sources: readonly string[]): AnyResponse {
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
  return { status, headers, body, mediaType: html }
}

function asset(file: URL, mediaType: string, caching = 'public, max-age=31536000, immutable') {
  return async (): Promise<AnyResponse> => {
    const body = await readFile(file, 'utf8')
    return { status: 200, headers: { 'Cache-Control': caching }, body, mediaType }
  }
}

// Loaded at the first request, because loading the library takes a tenth of a start.
async function toYaml(description: Description): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(description, { lineWidth: 100, aliasDuplicateObjects: false })
}
