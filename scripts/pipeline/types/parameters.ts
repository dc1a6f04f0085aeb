import { type Documents, toDocuments } from '../../../server/description/documents.ts'
import { type JsonObject, toList, toObject } from '../../../server/description/json.ts'
import { editNodes } from '../../../server/description/nodes.ts'
import { isIgnoredHeader } from '../../../server/description/parameter-form.ts'
import { anyValue } from './compositions.ts'

/**
 * Writes the schemas of the values of parameters in operations: openapi-typescript takes parameters with `content`
 * for texts, and asks for header fields whose parameters OpenAPI ignores.
 */
export function writeParameters(description: JsonObject): JsonObject {
  const documents = toDocuments(description)
  const edited = editNodes(description, 'document', (node, kind) => {
    if (kind === 'parameter') {
      return withValueSchema(node)
    }
    const hasParameters = kind === 'operation' || kind === 'pathItem'
    return hasParameters ? withOwnParameters(node, documents) : node
  })
  return toObject(edited)
}

function withValueSchema(parameter: JsonObject): JsonObject {
  const [media] = Object.values(toObject(parameter['content']))
  if (media === undefined || 'schema' in parameter) {
    return parameter
  }
  const { schema = { [anyValue]: true } } = toObject(media)
  return { ...parameter, schema }
}

/** Returns an operation or a path item whose parameters are no references, which an editor would show as such. */
function withOwnParameters(node: JsonObject, documents: Documents): JsonObject {
  const { parameters } = node
  if (parameters === undefined) {
    return node
  }
  const resolved = toList(parameters).map((parameter) => {
    const { $ref: _, ...beside } = toObject(parameter)
    return { ...documents.followValue(parameter), ...beside }
  })
  const printed = resolved.filter(({ in: location, name }) => !isIgnoredHeader(location, name))
  return { ...node, parameters: printed }
}
