import { stringify } from 'yaml'
import type { Pages } from '../contract/pages.ts'
import { createDocsPages } from '../docs/docs-pages.ts'
import type { Reference } from '../docs/page/document.ts'

export interface PagesOptions {
  /** What the reference is made from, the description that is running among it. */
  readonly reference: Reference
  /** What probes ask. */
  readonly health: Pages
}

/** What the service answers beside its contract: its description, the reference, and how it is. */
export function createPages({ reference, health }: PagesOptions): Pages {
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
    ...health,
  }
}
