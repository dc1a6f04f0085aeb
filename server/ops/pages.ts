import { stringify } from 'yaml'
import { Refusal } from '../contract/answer/refusal.ts'
import type { Pages } from '../contract/pages.ts'
import { createDocsPages } from '../docs/docs-pages.ts'
import type { Reference } from '../docs/page/document.ts'
import type { Store } from '../store/store.ts'

export interface PagesOptions {
  /** What the reference is made from, the description that is running among it. */
  readonly reference: Reference
  readonly store: Pick<Store, 'ping'>
  readonly isDraining: () => boolean
}

/** What the service answers beside its contract: its description, the reference, and how it is. */
export function createPages({ reference, store, isDraining }: PagesOptions): Pages {
  const { description } = reference
  return {
    ...createDocsPages(reference),
    '/openapi.json': () => ({ status: 200, body: description }),
    '/openapi.yaml': () => ({
      status: 200,
      body: stringify(description, { lineWidth: 100, aliasDuplicateObjects: false }),
      // RFC 9512
      mediaType: 'application/yaml',
    }),
    '/livez': () => ({ status: 200, body: { status: 'ok' } }),
    async '/readyz'() {
      if (isDraining()) {
        const headers = { 'Retry-After': 1 }
        const refused = { status: 503, code: 'unavailable' } as const
        throw new Refusal(refused, 'The service is shutting down.', { headers })
      }
      await store.ping()
      return { status: 200, body: { status: 'ok' } }
    },
  }
}
