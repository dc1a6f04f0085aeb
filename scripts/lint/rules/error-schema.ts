import { toList, toObject } from '../../pipeline/description.ts'
import { resolve } from '../resolved.ts'
import type { Context, Location, Rule } from '../rule.ts'

const errorPointer = '#/components/schemas/Error'
const fix = `refer to ${errorPointer}, alone or in an allOf that narrows it`

/** Requires the Error object in every response outside 2xx. */
export const errorSchema: Rule = () => ({
  Responses(responses, context) {
    for (const [status, response] of Object.entries(responses)) {
      if (!status.startsWith('2')) check(response, context.location.child(status), context)
    }
  },
  Root(root, context) {
    const framing = root['x-framing-response']
    if (framing !== undefined) check(framing, context.location.child('x-framing-response'), context)
  },
})

function check(value: unknown, place: Location, context: Context): void {
  const response = resolve(value, place, context)
  // A reference that cannot be resolved has a rule of its own.
  if (response === undefined) return
  const content = resolve(response.node['content'], response.location.child('content'), context)
  if (content === undefined) return
  const media = Object.entries(content.node)
  if (media.length === 0) {
    const message = `This response outside 2xx has no content; ${fix}.`
    context.report({ message, location: response.location.key() })
  }
  for (const [mediaType, { schema }] of media.map(
    ([name, one]) => [name, toObject(one)] as const,
  )) {
    const at = content.location.child([mediaType, 'schema'])
    if (isError(schema, at, context)) continue
    const message = `A response outside 2xx holds the Error object; ${fix}.`
    context.report({ message, location: at.key() })
  }
}

function isError(schema: unknown, place: Location, context: Context): boolean {
  const resolved = resolve(schema, place, context)
  if (resolved === undefined || resolved.location.pointer === errorPointer) return true
  return toList(resolved.node['allOf']).some((part, index) =>
    isError(part, resolved.location.child(['allOf', String(index)]), context),
  )
}
