import type { AnyResponse } from '../contract/handler.ts'
import type { Pages } from '../contract/routes.ts'
import { type Asset, readAssets } from './assets.ts'
import type { AssetPaths, Reference } from './page/document.ts'

const folder = new URL('assets/', import.meta.url)

// The page runs, loads and calls only what comes from where it comes from itself.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const pageHeaders = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  // It changes with the description, under the same name.
  'Cache-Control': 'no-cache',
}

// Their path has a digest of what is in them.
const assetHeaders = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** The reference of a description at `/docs`, and under it the files that it loads. */
export function createDocsPages(reference: Reference): Pages {
  const { files, digest } = readAssets(folder)
  const under = `docs/${digest}`
  const assetPages = files.map(
    (file) => [`/${under}/${file.name}`, () => toErrorResponse(file)] as const,
  )
  let body: string | undefined
  return {
    async '/docs'() {
      // Loaded and made when somebody first asks for it: a start need not wait for that.
      const { referenceDocument } = await import('./page/document.ts')
      body ??= referenceDocument(reference, toPaths(files, under))
      return { status: 200, headers: pageHeaders, body, mediaType: 'text/html; charset=utf-8' }
    },
    ...Object.fromEntries(assetPages),
  }
}

function toErrorResponse({ text, mediaType }: Asset): AnyResponse {
  return { status: 200, headers: assetHeaders, body: text, mediaType }
}

function toPaths(files: readonly Asset[], under: string): AssetPaths {
  const ending = (extension: string): string[] =>
    files.flatMap(({ name }) => (name.endsWith(extension) ? [`${under}/${name}`] : []))
  const entry = `${under}/docs.js`
  return {
    styles: ending('.css'),
    icon: `${under}/icon.svg`,
    entry,
    modules: ending('.js').filter((path) => path !== entry),
  }
}
