import type { Pages } from '../contract/routes.ts'
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
  let yaml: Promise<string> | undefined
  return {
    ...createDocsPages(reference),
    '/openapi.json': () => ({ status: 200, body: description }),
    '/openapi.yaml': async () => {
      yaml ??= toYaml(description)
      // RFC 9512
      return { status: 200, body: await yaml, mediaType: 'application/yaml' }
    },
    ...health,
  }
}

// Few ask for it, and the library is a tenth of what a start loads.
async function toYaml(description: Reference['description']): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(description, { lineWidth: 100, aliasDuplicateObjects: false })
}
