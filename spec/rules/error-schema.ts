import { toList, toObject } from '../../scripts/pipeline/description.ts'
import { type Resolved, resolve } from './resolved.ts'
import type { Context, Location, Rule } from './rule.ts'

const errorPointer = '#/components/schemas/Error'
const mend = `refer to ${errorPointer}, alone or in an allOf that narrows it`

/** Every answer outside 2xx holds the Error object, whoever produced it. */
export const errorSchema: Rule = () => {
  const seen = new Set<string>()

  function check(value: unknown, place: Location, context: Context): void {
    const { node: response, location } = resolve(value, place, context)
    // Operations share their responses; each is reported once.
    if (seen.has(location.absolutePointer)) return
    seen.add(location.absolutePointer)
    const content = Object.entries(toObject(response['content']))
    if (content.length === 0) {
      const message = `This response outside 2xx has no content; ${mend}.`
      context.report({ message, location: location.key() })
    }
    for (const [mediaType, { schema }] of content.map(
      ([key, media]) => [key, toObject(media)] as const,
    )) {
      const at = location.child(['content', mediaType, 'schema'])
      if (isError(resolve(schema, at, context), context)) continue
      const message = `A response outside 2xx holds the Error object; ${mend}.`
      context.report({ message, location: at.key() })
    }
  }

  return {
    Responses(responses, context) {
      for (const [status, response] of Object.entries(responses)) {
        if (status.startsWith('2')) continue
        check(response, context.location.child(status), context)
      }
    },
    Root(root, context) {
      const framing = root['x-framing-response']
      if (framing !== undefined)
        check(framing, context.location.child('x-framing-response'), context)
    },
  }
}

function isError({ node, location }: Resolved, context: Context): boolean {
  if (location.pointer === errorPointer) return true
  return toList(node['allOf']).some((part, index) =>
    isError(resolve(part, location.child(['allOf', String(index)]), context), context),
  )
}
