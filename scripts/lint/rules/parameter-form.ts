import { toObject } from '../../../server/description/json.ts'
import {
  findUnreadForm,
  isUsuallyExploded,
  usualStyle,
} from '../../../server/description/parameter-form.ts'
import { toReferences } from '../resolved.ts'
import type { Rule } from '../rule.ts'

/** Reports parameters whose form OpenAPI gives no meaning: the operations that have them are not served. */
export const parameterForm: Rule = () => ({
  Parameter(parameter, context) {
    const { in: location, schema, content } = parameter
    const style = String(parameter['style'] ?? usualStyle(String(location)))
    const { explode = isUsuallyExploded(style) } = parameter
    const file = context.location.source.absoluteRef
    const form = {
      location: String(location),
      style,
      explode: explode === true,
      schema: schema === undefined ? undefined : { file, pointer: '#', value: schema },
      mediaTypes: Object.keys(toObject(content)),
    }

    const unread = findUnreadForm(form, toReferences(context))
    if (unread !== undefined) {
      const key = ['style', 'content', 'in'].find((each) => each in parameter) ?? 'in'
      const message = `The service does not read ${unread}: operations with this parameter are 501.`
      context.report({ message, location: context.location.child(key).key() })
    }
  },
})
