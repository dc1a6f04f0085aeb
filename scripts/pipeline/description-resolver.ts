import { BaseResolver, type Document, type Source } from '@redocly/openapi-core'
import { leadsToHost } from '../../server/description/documents.ts'
import { decodeIfValid } from '../../server/description/pointer.ts'
import { hideNames } from './hidden-names.ts'

/** Reads the files of a description for Redocly. */
export class DescriptionResolver extends BaseResolver {
  // A reference is a URI: `users_%7Bid%7D.yaml` is the file `users_{id}.yaml`.
  override resolveExternalRef(base: string | null, ref: string): string {
    if (leadsToHost(ref)) {
      return ref
    }
    return super.resolveExternalRef(base, base === null ? ref : decodeIfValid(ref))
  }

  // What another host has may change, or be gone: the same files always compile to the same contract.
  override loadExternalRef(absoluteRef: string): Promise<Source> {
    if (!leadsToHost(absoluteRef)) {
      return super.loadExternalRef(absoluteRef)
    }
    const advice = 'copy what it names into a file of the description'
    throw new Error(`it is on another host, which is not read; ${advice}`)
  }

  override parseDocument(source: Source, isRoot?: boolean): Document {
    const document = super.parseDocument(source, isRoot)
    return { source, parsed: hideNames(document.parsed) }
  }
}
