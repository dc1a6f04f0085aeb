import { toList } from '../../../server/description/json.ts'
import type { Fact, Location } from '../../../server/description/location.ts'
import { toChild } from '../../../server/description/pointer.ts'
import { exampleKeys, knownKeywords, textKeys } from './keywords.ts'
import type { Part } from './schema-parts.ts'

/** Reads what the parts of a schema state about values without ruling any out. */
export function readAnnotations(parts: readonly Part[]) {
  const texts = new Map<string, readonly Fact<unknown>[]>()
  const others = new Map<string, readonly Fact<unknown>[]>()
  for (const part of parts) {
    for (const [keyword, value] of Object.entries(part.keywords)) {
      const at = keywordAt(part, keyword)
      const isText = textKeys.includes(keyword)
      if (!isText && knownKeywords.has(keyword)) {
        continue
      }
      const facts = isText ? texts : others
      facts.set(keyword, [...(facts.get(keyword) ?? []), { value, at }])
    }
  }
  const sunset = findFact(parts, 'x-sunset')
  return {
    default: findFact(parts, 'default'),
    readOnly: findTrue(parts, 'readOnly'),
    writeOnly: findTrue(parts, 'writeOnly'),
    deprecated: findTrue(parts, 'deprecated'),
    sunset: sunset && { ...sunset, value: String(sunset.value) },
    texts,
    examples: parts.flatMap(readExamples),
    others,
  }
}

/** Returns the examples; one `example` is a list of one of `examples`. */
function readExamples(part: Part): readonly Fact<unknown>[] {
  return exampleKeys.flatMap((keyword) => {
    if (!(keyword in part.keywords)) {
      return []
    }
    const value = part.keywords[keyword]
    const at = keywordAt(part, keyword)
    return keyword === 'example'
      ? [{ value, at }]
      : toList(value).map((each) => ({ value: each, at }))
  })
}

function findFact(parts: readonly Part[], keyword: string): Fact<unknown> | undefined {
  const part = parts.find(({ keywords }) => keywords[keyword] !== undefined)
  return part && { value: part.keywords[keyword], at: keywordAt(part, keyword) }
}

function findTrue(parts: readonly Part[], keyword: string): Location | undefined {
  return parts.flatMap((part) =>
    part.keywords[keyword] === true ? [keywordAt(part, keyword)] : [],
  )[0]
}

function keywordAt({ at: { file, pointer } }: Part, keyword: string): Location {
  return { file, pointer: toChild(pointer, keyword) }
}
