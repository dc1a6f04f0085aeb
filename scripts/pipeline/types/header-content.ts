import type { JsonObject } from '../../../server/description/json.ts'
import { toObject } from '../../../server/description/json.ts'
import { editNodes } from '../../../server/description/nodes.ts'

/** Writes the schema of a header's content as that of the header, whose value it describes. */
export function readHeaderContent(description: JsonObject): JsonObject {
  return toObject(
    editNodes(description, 'document', (node, kind) => {
      return kind === 'header' ? withSchema(node) : node
    }),
  )
}

function withSchema({ content, ...otherFields }: JsonObject): JsonObject {
  const [media] = Object.values(toObject(content))
  if (media === undefined) {
    return otherFields
  }
  const { schema = true } = toObject(media)
  return { ...otherFields, schema }
}
