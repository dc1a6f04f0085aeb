import type { AnyResponse } from '../contract/handler-response.ts'
import { type JsonObject, toObject } from '../description/json.ts'
import { compress } from '../http/compressed-content.ts'

/** Where a page is, and where the API is; both below the root of the service. */
export interface PagePlace {
  readonly path: string
  readonly basePath: string
}

const sources = [
  "default-src 'none'",
  "script-src 'self'",
  // Scalar writes styles into the page, and style attributes that no hash can name.
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

const headers = {
  'Content-Security-Policy': sources.join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}

/** Returns the reference page of a description, in which calls can be sent. */
export async function createReferencePage(
  description: JsonObject,
  { path, basePath }: PagePlace,
): Promise<AnyResponse> {
  const title = escapeHtml(String(toObject(description['info'])['title']))
  // JSON may contain the end of the element.
  const embedded = JSON.stringify(description).replaceAll('<', '\\u003c')
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="alternate" type="text/markdown" href="docs/index.md" title="${title}">
<script src="docs/scalar.js" defer></script>
<script src="docs/page.js" type="module"></script>
</head>
<body>
<noscript>This page needs JavaScript. <a href="docs/index.md">The reference as text</a> does not.</noscript>
<div id="reference" data-path="${path}" data-base-path="${escapeHtml(basePath)}"></div>
<script id="description" type="application/json">${embedded}</script>
</body>
</html>
`
  const body = await compress(html)
  return { status: 200, headers, body, mediaType: 'text/html; charset=utf-8' }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
