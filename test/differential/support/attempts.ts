import {
  dereference,
  type JsonObject,
  toList,
  toObject,
} from '../../../scripts/pipeline/description.ts'
import type { Place } from '../../../scripts/pipeline/operation-places.ts'
import { createContract } from '../../conformance/support/contract.ts'
import type { Attempt } from './attempt.ts'
import type { Dice } from './dice.ts'
import { createParameterSource } from './parameter-source.ts'
import { encode, type Pair, unknownPairs } from './parameter-texts.ts'
import { createRoughValues } from './rough-values.ts'
import { createValueSource } from './value-source.ts'

const richness = { valid: 100, each: 4 }

/** How far an attempt strays: nowhere as far as is known, in one part, or in any. */
type Mode = 'plain' | 'one' | 'any'

export interface Made {
  readonly attempt: Attempt
  /** Whether it was made of nothing but what the description allows. */
  readonly isPlain: boolean
}

/** Makes attempts at one operation. */
export function createAttempts(
  root: JsonObject,
  basePath: string,
  place: Place,
  dice: Dice,
): () => Made {
  const contract = createContract(JSON.parse(JSON.stringify(root)))
  const roughValueOf = createRoughValues(root, dice)
  const sources = parametersOf(root, place).map((parameter) =>
    createParameterSource(contract, parameter, roughValueOf, dice),
  )
  const makeBody = createBodies(root, place)
  const partCount = sources.length + 3

  function createBodies({ components }: JsonObject, { operation }: Place) {
    const { content, required } = dereference({ components }, operation['requestBody'])
    const bodies = Object.entries(toObject(content)).map(([mediaType, media]) => ({
      mediaType,
      source: createValueSource(contract, toObject(media)['schema'], roughValueOf, dice, richness),
    }))
    const missing = {
      mediaType: required === true ? bodies[0]?.mediaType : undefined,
      body: undefined,
    }
    return (isOdd: boolean) => {
      if (bodies.length === 0) return missing
      if (isOdd ? dice.chance(0.05) : required !== true && dice.chance(0.2)) return missing
      const { mediaType, source } = dice.pick(bodies)
      const body = isOdd ? source.odd() : source.plain()
      return body === undefined ? missing : { mediaType, body }
    }
  }

  return function make() {
    const mode: Mode = dice.chance(0.5) ? 'plain' : dice.chance(0.7) ? 'one' : 'any'
    const chosen = dice.below(partCount)
    const isOdd = (part: number) =>
      mode === 'one' ? part === chosen : mode === 'any' && dice.chance(0.4)
    const written = sources.map((source, part) => ({
      place: source.place,
      pairs: isOdd(part) ? source.odd() : source.plain(),
    }))
    const pairsIn = (wanted: string) =>
      written.filter(({ place }) => place === wanted).flatMap(({ pairs }) => pairs)
    const query = pairsIn('query').map(([name, text]) => `${encode(name)}=${text}`)
    if (isOdd(sources.length))
      query.splice(dice.below(query.length + 1), 0, dice.pick(unknownPairs))
    const headers = headersOf(pairsIn('header'), pairsIn('cookie'), dice)
    const attempt = {
      ...{ path: fillPath(basePath + place.path, pairsIn('path')), query, headers },
      isLetIn: !isOdd(sources.length + 1) || dice.chance(0.5),
      ...makeBody(isOdd(sources.length + 2)),
    }
    return { attempt, isPlain: mode === 'plain' }
  }
}

function headersOf(fields: readonly Pair[], cookies: readonly Pair[], { chance, pick }: Dice) {
  const headers = fields.map(([name, text]): Pair => [name.toLowerCase(), text])
  if (!headers.some(([name]) => name === 'authorization')) {
    headers.push(['authorization', pick(['Bearer badge', 'Bearer badge', 'bearer badge'])])
  }
  if (chance(0.1)) headers.push(['content-type', 'application/json; charset=utf-8'])
  if (cookies.length > 0) {
    headers.push(['cookie', cookies.map(([name, text]) => `${name}=${text}`).join('; ')])
  }
  return headers
}

function fillPath(template: string, pairs: readonly Pair[]): string {
  return pairs.reduce((path, [name, text]) => path.replace(`{${name}}`, () => text), template)
}

/** The parameters of an operation; its own take the place of those of its path. */
function parametersOf(root: JsonObject, { pathItem, operation }: Place): JsonObject[] {
  const rows = [...toList(pathItem['parameters']), ...toList(operation['parameters'])]
  const found = rows.map((row) => dereference(root, row))
  return [...new Map(found.map((row) => [`${row['in']} ${row['name']}`, row])).values()]
}
