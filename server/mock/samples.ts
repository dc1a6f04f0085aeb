import { type GenerateSyncOptions, generateSync } from 'json-schema-faker'
import type { Description, Located } from '../contract/description.ts'

// The fullest values first, then ever smaller ones: a schema that refers to itself ends some time.
const manners: readonly GenerateSyncOptions[] = [
  { useExamplesValue: true, alwaysFakeOptionals: true, filterExampleDefaults: false },
  { alwaysFakeOptionals: true },
  { optionalsProbability: 0.5 },
  { optionalsProbability: 0, refDepth: 1 },
]
const seeds = [1, 2, 3, 4, 5]

/** Values that may fit a schema, always the same ones; whoever takes one checks it first. */
export function* sampleValues(
  { components, paths }: Description,
  { pointer }: Located,
): Generator<unknown> {
  // The faker takes what stands beside a `$ref` for a part of the schema: so it is led there through
  // a property, and what is referred to stands beside that.
  const wrapped = {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: `#${pointer}` } },
    components,
    paths,
  }
  for (const manner of manners) for (const seed of seeds) yield sampleOnce(wrapped, manner, seed)
}

function sampleOnce(schema: object, manner: GenerateSyncOptions, seed: number): unknown {
  try {
    const made = generateSync({ ...schema }, { ...manner, seed })
    return typeof made === 'object' && made !== null && 'value' in made ? made.value : undefined
  } catch {
    // It does not know what to do with some schemas; `undefined` fits none.
    return undefined
  }
}
