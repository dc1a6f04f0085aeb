import { type ContentKind, kindOf } from '../../../server/description/content-kind.ts'
import { type JsonObject, toObject } from '../../../server/description/json.ts'
import { resolve } from '../resolved.ts'
import type { Context, Location, Rule } from '../rule.ts'

const streams: readonly ContentKind[] = ['events', 'lines']
const forms: readonly ContentKind[] = ['form', 'multipart']

/** The content in which a keyword of a media type has an effect. */
const kindsByKeyword: Readonly<Record<string, readonly ContentKind[]>> = {
  itemSchema: streams,
  'x-item-schema': streams,
  encoding: forms,
  // Content of other multipart types is read and sent as bytes.
  itemEncoding: [],
  prefixEncoding: [],
}

/** The keywords of an encoding that are about parts within a part. */
const innerKeywords = ['encoding', 'itemEncoding', 'prefixEncoding']

/** Reports keywords of media types that have no effect on content of that type. */
export const mediaTypeEffect: Rule = () => ({
  MediaTypesMap(map, context) {
    for (const [name, value] of Object.entries(map)) {
      const media = resolve(value, context.location.child(name), context)
      if (media !== undefined && !name.startsWith('x-')) {
        reportKeywords(name, media.node, media.location, context)
      }
    }
  },
})

function reportKeywords(
  name: string,
  media: JsonObject,
  location: Location,
  { report }: Context,
): void {
  const kind = kindOf(name)
  for (const [keyword, kinds] of Object.entries(kindsByKeyword)) {
    if (keyword in media && !kinds.includes(kind)) {
      const message = `${keyword} has no effect on content of ${name}; remove it, or change the media type.`
      report({ message, location: location.child(keyword).key() })
    }
  }

  for (const [field, encoding] of Object.entries(toObject(media['encoding']))) {
    for (const keyword of innerKeywords.filter((each) => each in toObject(encoding))) {
      const message = `${keyword} has no effect: the service reads no parts within a part; remove it.`
      report({ message, location: location.child(['encoding', field, keyword]).key() })
    }
  }
}
