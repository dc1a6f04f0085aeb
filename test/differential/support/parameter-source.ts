import { dereference, type JsonObject, toObject } from '../../../scripts/pipeline/description.ts'
import type { Contract } from '../../conformance/support/contract.ts'
import {
  type TextBreak,
  textBreaksOf,
  textEdgesOf,
  textsOf,
} from '../../conformance/support/parameter-texts.ts'
import type { Dice } from './dice.ts'
import { nearString } from './mutation.ts'
import { encode, oddTexts, type Pair, toPairs } from './parameter-texts.ts'
import { sampled, sampledEach } from './pool.ts'
import type { RoughValueOf } from './rough-values.ts'

/** Gives what is written for a parameter: pairs whose texts are percent-encoded. */
export interface ParameterSource {
  readonly name: string
  readonly place: string
  /** What the description allows, or only just, as far as is known. */
  readonly plain: () => readonly Pair[]
  readonly odd: () => readonly Pair[]
}

export function createParameterSource(
  contract: Contract,
  parameter: JsonObject,
  roughValueOf: RoughValueOf,
  dice: Dice,
): ParameterSource {
  const name = String(parameter['name'])
  const place = String(parameter['in'])
  const isRequired = parameter['required'] === true
  const [content] = Object.values(toObject(parameter['content']))
  const schema = parameter['schema'] ?? toObject(content)['schema'] ?? {}
  const rough = (): Pair[] => {
    const pairs = toPairs(parameter, roughValueOf(schema))
    return pairs.map(([key, text]) => [key, writeText(place, text)])
  }
  const toWritten = (texts: readonly string[]) =>
    texts.map((text): Pair => [name, writeText(place, text)])
  const { valid, broken } = poolOf(contract, parameter)

  function plain(): readonly Pair[] {
    if (!isRequired && dice.chance(0.3)) return []
    return valid.length > 0 ? toWritten(dice.pick(valid)) : rough()
  }

  function odd(): readonly Pair[] {
    const kind = dice.below(10)
    if (kind === 0) return []
    if (kind === 1) return [...plain(), ...plain()]
    if (kind === 2) return [[name, '']]
    if (kind < 5) return [[name, dice.pick(oddTexts)]]
    if (kind === 5 && valid.length > 0) {
      return toWritten(dice.pick(valid).map((text) => nearString(text, dice)))
    }
    if (kind === 6) return rough()
    if (kind === 7 && place === 'query')
      return [[`${name}[${dice.pick(['a', '', '__proto__'])}]`, '1']]
    return broken.length > 0 ? toWritten(dice.pick(broken)) : rough()
  }

  return { name, place, plain, odd }
}

function writeText(place: string, text: string): string {
  return place === 'header' || place === 'cookie' ? text : encode(text)
}

/** Texts of values that are valid or not, if only just. */
interface Pool {
  readonly valid: readonly (readonly string[])[]
  readonly broken: readonly (readonly string[])[]
}

/** There are none where no generator knows the schema. */
function poolOf(contract: Contract, parameter: JsonObject): Pool {
  const { name, in: place, schema } = parameter
  // Lists and objects are written in more than one way.
  const { type } = dereference(contract.root, schema)
  if (schema === undefined || type === 'array' || type === 'object')
    return { valid: [], broken: [] }
  const text: string = JSON.stringify(schema)
  const described = {
    ...{ name: String(name), in: String(place), isRequired: true },
    schema: JSON.parse(text),
  }
  const textsEach = (breaks: readonly TextBreak[]) => breaks.map(({ texts }) => texts)
  return {
    valid: [
      ...sampled(() => textsOf(contract, described), 200),
      ...sampledEach(() => textsEach(textEdgesOf(contract, described)), 10),
    ],
    broken: sampledEach(() => textsEach(textBreaksOf(contract, described)), 20),
  }
}
