import type { Oas3Decorator } from '@redocly/openapi-core'
import { type Documents, openDocuments } from '../../server/description/documents.ts'
import { type JsonObject, toList, toObject } from '../../server/description/json.ts'
import type { Located } from '../../server/description/location.ts'
import type { Follow } from './called-operations.ts'
import { commonKey } from './common-groups.ts'
import { addCommonParts, platformKey } from './common-parts.ts'
import { componentsOnCredentials, nameCredentials } from './credential-texts.ts'
import { fitPlatform } from './fitting-parts.ts'
import { inlineParts } from './inline-parts.ts'
import { componentsOnMediaTypes, nameMediaTypes } from './media-type-texts.ts'
import { openPlatformFile, type PlatformFile, referToOwnComponent } from './platform-file.ts'
import { completeEnum } from './rules/extensible-enum.ts'

/** Adds what the platform, `x-common` and `x-extensible-enum` mean, before a description is linted or bundled. */
const addCommon: Oas3Decorator = ({ unserved }) => {
  const unservedNames = new Set(toList(unserved).map(String))
  let description: JsonObject = {}
  let file = ''
  let platform: PlatformFile | undefined

  return {
    Schema(schema) {
      completeEnum(toObject(schema))
    },
    ref(reference, { location }) {
      if (platform !== undefined && location.source.absoluteRef === platform.file) {
        referToOwnComponent(toObject(reference), platform, file)
      }
    },
    Root: {
      enter(root, { location, resolve: find }) {
        description = toObject(root)
        file = location.source.absoluteRef
        platform = openPlatformFile(description, file)
        if (platform === undefined) {
          return
        }

        const follow = createFollow(description, file, platform, find)
        fitPlatform(description, file, follow, platform, unservedNames.size > 0)
        for (const part of [platform.root, readLoaded(platform.file, find)]) {
          nameCredentials(description, file, follow, part)
          nameMediaTypes(description, file, follow, part)
        }
      },
      leave(_root, { resolve: find }) {
        const follow = createFollow(description, file, platform, find)
        addCommonParts(description, file, follow, platform, unservedNames)
      },
    },
  }
}

/** Returns the function that follows references of a description and of what the platform adds to it. */
function createFollow(
  description: JsonObject,
  file: string,
  platform: PlatformFile | undefined,
  find: Find,
): Follow {
  const roots = new Map([[file, description]])
  if (platform !== undefined) {
    roots.set(platform.file, platform.root)
  }
  const documents = openDocuments(file, roots)
  return (node) => targetOf(node, documents, find)
}

/** Returns the platform's file as Redocly has loaded it, as far as it is about credentials and media types. */
function readLoaded(file: string, find: Find): JsonObject {
  const read = (section: string, name: string) => {
    return [name, find({ $ref: `#/components/${section}/${name}` }, file).node] as const
  }
  const parts = [componentsOnCredentials, componentsOnMediaTypes]
  const responses = parts.flatMap((part) => part.responses.map((name) => read('responses', name)))
  const schemas = parts.flatMap((part) => part.schemas.map((name) => read('schemas', name)))
  return {
    components: {
      responses: Object.fromEntries(responses),
      schemas: Object.fromEntries(schemas),
    },
  }
}

/** Finds what a reference leads to, as Redocly does for the references of a file. */
type Find = (
  value: { readonly $ref?: string },
  file: string,
) => {
  readonly node?: unknown
  readonly location?:
    | { readonly pointer: string; readonly source: { absoluteRef: string } }
    | undefined
}

/**
 * Returns the target of a reference. Redocly does not know references that were added, which lead to the
 * description or to the platform's file; it alone knows the other files.
 */
function targetOf(node: Located, documents: Documents, find: Find): Located {
  const target = documents.tryTarget(node)
  const { node: value, location } = find(toObject(target.value), target.file)
  if (location === undefined || value === target.value) {
    return target
  }
  return { file: location.source.absoluteRef, pointer: location.pointer, value }
}

/** Removes from a bundled description what was read to complete it. */
const removeCommon: Oas3Decorator = () => ({
  Root: {
    leave(root) {
      for (const key of [commonKey, platformKey]) {
        Reflect.deleteProperty(root, key)
      }
    },
  },
})

// Redocly would run a decorator that has the name of a preprocessor as a preprocessor too.
/** The part of a plugin of Redocly that completes descriptions. */
export const completion = {
  preprocessors: { oas3: { 'add-common': addCommon } },
  decorators: { oas3: { 'remove-common': removeCommon, 'inline-parts': inlineParts } },
}

/** The setting of the preprocessor that completes descriptions; `unserved` names operations that get a response 501. */
export const completionName = 'service/add-common'

/** The settings of Redocly that complete descriptions. */
export const completionSettings = {
  preprocessors: { [completionName]: 'on' },
  decorators: { 'service/remove-common': 'on', 'service/inline-parts': 'on' },
} as const
