import type { Oas3Decorator } from '@redocly/openapi-core'
import { addCommonParts, commonKey, type Placed } from '../../scripts/pipeline/common-parts.ts'
import { toObject } from '../../scripts/pipeline/description.ts'

/** Adds what `x-common` declares to the operations, before a description is linted or bundled. */
const addCommon: Oas3Decorator = () => ({
  Root(root, { location, resolve }) {
    const follow = (value: Placed): Placed => {
      const { $ref } = toObject(value.node)
      if (typeof $ref !== 'string') return value
      const target = resolve({ $ref }, value.file)
      return { node: target.node, file: target.location?.source.absoluteRef ?? value.file }
    }
    addCommonParts(toObject(root), location.source.absoluteRef, follow)
  },
})

/** Removes `x-common` from a bundled description: the operations have all of it. */
const removeCommon: Oas3Decorator = () => ({
  Root: {
    leave(root) {
      Reflect.deleteProperty(root, commonKey)
    },
  },
})

// Redocly would run a decorator that has the name of a preprocessor as a preprocessor too.
/** What a plugin of Redocly needs to complete descriptions. */
export const commonParts = {
  preprocessors: { oas3: { 'add-common': addCommon } },
  decorators: { oas3: { 'remove-common': removeCommon } },
}
