import { BaseResolver, type Document, type Source } from '@redocly/openapi-core'
import { decodeIfValid } from '../../server/description/pointer.ts'
import { hideNames } from './hidden-names.ts'

/** Reads the files of a description for Redocly. */
export class DescriptionResolver extends BaseResolver {
  // A reference is a URI: `users_%7Bid%7D.yaml` is the file `users_{id}.yaml`.
  override resolveExternalRef(base: string | null, ref: string): string {
    const isFile = base !== null && !/^https?:/.test(ref)
    return super.resolveExternalRef(base, isFile ? decodeIfValid(ref) : ref)
  }

  override parseDocument(source: Source, isRoot?: boolean): Document {
    const document = super.parseDocument(source, isRoot)
    return { source, parsed: hideNames(document.parsed) }
  }
}
