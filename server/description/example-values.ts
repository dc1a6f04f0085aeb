import type { Documents } from './documents.ts'
import { type JsonObject, toObject } from './json.ts'

/** How an example is used: as a JSON value, or as the text of content that is not JSON. */
export type ExampleForm = 'json' | 'text'

/** Returns the examples of a media type, a parameter or a header, by name; `example` is called that. */
export function readExamples(
  { example, examples }: JsonObject,
  documents: Documents,
  form: ExampleForm = 'json',
): Map<string, unknown> {
  const named = Object.entries(toObject(examples)).map(([name, value]) => {
    return [name, readExample(documents.followValue(value), form)] as const
  })
  const stated = [['example', example] as const, ...named]
  return new Map(stated.filter(([, value]) => value !== undefined))
}

/** Returns the value of an Example Object, whose text is in `serializedValue` since OpenAPI 3.2. */
function readExample(example: JsonObject, form: ExampleForm): unknown {
  const { serializedValue, value, dataValue } = example
  if (form === 'text' && serializedValue !== undefined) {
    return serializedValue
  }
  return 'value' in example ? value : dataValue
}
