import { dirname, resolve } from 'node:path'
import type { Oas3Decorator } from '@redocly/openapi-core'
import { type JsonObject, pointAt, toObject } from '../pipeline/description.ts'
import type { Placed } from './called-operations.ts'
import { commonKey } from './common-groups.ts'
import { addCommonParts, platformKey } from './common-parts.ts'
import { inlineParts } from './inline-parts.ts'
import { openPlatformFile, type PlatformFile, referToOwnComponent } from './platform-file.ts'
import { completeEnum } from './rules/extensible-enum.ts'

/** Adds what the platform, `x-common` and `x-extensible-enum` mean, before a description is linted or bundled. */
const addCommon: Oas3Decorator = () => {
  let description: JsonObject = {}
  let file = ''
  let platform: PlatformFile | undefined

  return {
    Schema(schema) {
      completeEnum(toObject(schema))
    },
    ref(reference, { location }) {
      const isOfPlatform = location.source.absoluteRef === platform?.file
      if (isOfPlatform) referToOwnComponent(toObject(reference), description, file)
    },
    Root: {
      enter(root, { location }) {
        description = toObject(root)
        file = location.source.absoluteRef
        platform = openPlatformFile(description, file)
      },
      // Copies of responses have references that Redocly does not follow here: those of the platform are
      // made to lead to the description's own components before.
      leave(_root, { resolve: find }) {
        const findWritten = ($ref: string, from: string): Placed => {
          const { node, location } = find({ $ref }, from)
          return { node, file: location?.source.absoluteRef ?? from, pointer: location?.pointer }
        }
        const follow = (value: Placed): Placed => {
          const { $ref } = toObject(value.node)
          if (typeof $ref !== 'string') return value

          const [uri = '', fragment = ''] = $ref.split('#')
          const target = uri === '' ? value.file : resolve(dirname(value.file), uri)
          const pointer = `#${fragment}`
          if (target === platform?.file) {
            return { node: pointAt(platform.root, pointer), file: target, pointer }
          }

          const written = findWritten($ref, value.file)
          if (written.node !== undefined || target !== file) return written

          // Redocly does not know a reference that was added, but the one that it may lead to.
          const node = pointAt(description, pointer)
          const { $ref: next } = toObject(node)
          return typeof next === 'string' ? findWritten(next, file) : { node, file, pointer }
        }
        addCommonParts(description, file, follow, platform)
      },
    },
  }
}

/** Removes from a bundled description what was read to complete it. */
const removeCommon: Oas3Decorator = () => ({
  Root: {
    leave(root) {
      for (const key of [commonKey, platformKey]) Reflect.deleteProperty(root, key)
    },
  },
})

// Redocly would run a decorator that has the name of a preprocessor as a preprocessor too.
/** The part of a plugin of Redocly that completes descriptions. */
export const completion = {
  preprocessors: { oas3: { 'add-common': addCommon } },
  decorators: { oas3: { 'remove-common': removeCommon, 'inline-parts': inlineParts } },
}

/** The settings of Redocly that complete descriptions. */
export const completionSettings = {
  preprocessors: { 'service/add-common': 'on' },
  decorators: { 'service/remove-common': 'on', 'service/inline-parts': 'on' },
} as const
