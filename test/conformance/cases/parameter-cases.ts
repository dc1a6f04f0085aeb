import fc from 'fast-check'
import { type Case, createCase } from '../support/case.ts'
import type { Contract } from '../support/contract.ts'
import type { DescribedOperation, DescribedParameter } from '../support/described.ts'
import { type Draft, draftsOf, toSent, withTexts } from '../support/draft.ts'
import { textBreaksOf, textsOf } from '../support/parameter-texts.ts'
import { toCurl } from '../support/sent.ts'
import { judgeRefused, refusals } from './refusal.ts'

type Broken = (check: string, drafts: fc.Arbitrary<Draft>, place?: string) => Case

/** Every way to break the parameters of an operation, one at a time. */
export function parameterCases(contract: Contract, operation: DescribedOperation): Case[] {
  const whole = draftsOf(contract, operation)
  const broken: Broken = (check, drafts, place) =>
    createCase({
      check,
      operation: operation.operationId,
      values: drafts,
      judge: (draft, bench) =>
        judgeRefused(toSent(draft), bench, {
          status: refusals.content,
          operation: operation.node,
          ...(place === undefined ? {} : { place }),
        }),
      show: (draft, origin) => toCurl(toSent(draft), origin),
    })
  return [
    ...operation.parameters.flatMap((parameter) => ofParameter(contract, whole, parameter, broken)),
    broken('query: unknown', unknown(whole, operation), '/query'),
    broken('query: not UTF-8', undecodable(whole, operation), '/query'),
  ]
}

function ofParameter(
  contract: Contract,
  whole: fc.Arbitrary<Draft>,
  parameter: DescribedParameter,
  broken: Broken,
): Case[] {
  const { in: place, isRequired } = parameter
  const at = placeOf(parameter)
  const texts = textsOf(contract, parameter)
  const sending = (values: fc.Arbitrary<readonly string[]>) =>
    fc.tuple(whole, values).map(([draft, text]) => withTexts(draft, parameter, text))
  const twice = fc.oneof(
    texts.map(([text = '']) => [text, text]),
    fc.tuple(texts, texts).map(([[one = ''], [other = '']]) => [one, other]),
  )
  const isList = contract.flatten(parameter.schema)['type'] === 'array'
  const mayRepeat = isList || place === 'path' || place === 'cookie'
  return [
    ...textBreaksOf(contract, parameter).map(({ keyword, texts: wrong }) =>
      broken(`${place}: ${keyword}`, sending(wrong), at),
    ),
    ...(mayRepeat ? [] : [broken(`${place}: repeated`, sending(twice), at)]),
    ...(isRequired && place !== 'path'
      ? [broken(`${place}: missing`, sending(fc.constant([])), at)]
      : []),
  ]
}

function placeOf({ in: place, name }: DescribedParameter): string {
  if (place === 'header') return `/headers/${name.toLowerCase()}`
  return `/${place === 'cookie' ? 'cookies' : place}/${name}`
}

function unknown(whole: fc.Arbitrary<Draft>, { parameters }: DescribedOperation) {
  const known = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)
  const near = known.flatMap((name) => [name.toUpperCase(), `${name}s`, `${name} `, `${name}[]`])
  const any = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 })
  const names = fc
    .oneof(fc.constantFrom(...near, '__proto__', 'constructor', 'page'), any)
    .filter((name) => !known.includes(name))
  const values = fc.string({ unit: 'grapheme-ascii', maxLength: 5 })
  return fc.tuple(whole, names, values).map(([draft, name, value]) => {
    return { ...draft, query: [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`] }
  })
}

function undecodable(whole: fc.Arbitrary<Draft>, { parameters }: DescribedOperation) {
  const known = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)
  const names = fc.constantFrom(...known, 'x')
  const texts = fc.constantFrom('%', '%z', '%ff', '%c3', '%ed%a0%80', '%C0%80')
  const query = fc.oneof(
    fc.tuple(names, texts).map(([name, text]) => `${name}=${text}`),
    texts.map((text) => `${text}=1`),
  )
  return fc.tuple(whole, query).map(([draft, pair]) => ({ ...draft, query: [pair] }))
}
