import fc from 'fast-check'
import { basePath } from '../../../generated/operations.ts'
import { createContractIndex } from '../../support/traffic/contract-index.ts'
import type { Field } from '../../support/traffic/exchange.ts'
import type { Contract } from './contract.ts'
import { credentialsOf } from './credentials.ts'
import type { DescribedOperation, DescribedParameter } from './described.ts'
import { kept } from './kept.ts'
import { type Texts, textsOf } from './parameter-texts.ts'
import type { Sent } from './sent.ts'

/** A request in parts, any of which can be broken. */
export interface Draft {
  readonly operation: DescribedOperation
  /** Parameters that are sent, by their number in the description. */
  readonly texts: ReadonlyMap<DescribedParameter, Texts>
  /** More of the query, as it is written. */
  readonly query: readonly string[]
  /** Header fields beside the parameters. */
  readonly fields: readonly Field[]
  readonly credentials: readonly Field[]
  readonly mediaType: string | undefined
  readonly body: string | undefined
}

/** Makes requests that keep the contract of an operation. */
export function draftsOf(contract: Contract, operation: DescribedOperation): fc.Arbitrary<Draft> {
  const texts = operation.parameters
    // What is opaque is taken from links, not made.
    .filter((parameter) => parameter.isRequired || !isOpaque(operation, parameter))
    .map((parameter) => {
      const values = textsOf(contract, parameter).map((text) => [parameter, text] as const)
      return parameter.isRequired ? values : fc.option(values, { nil: undefined })
    })
  const { body } = operation
  const bodies = body === undefined ? fc.constant(undefined) : bodiesOf(contract, body)
  return fc.tuple(fc.tuple(...texts), bodies, requestIds(contract, operation)).map((parts) => {
    const [sent, content, fields] = parts
    return {
      operation,
      texts: new Map(sent.filter((one) => one !== undefined)),
      query: [],
      fields,
      credentials: credentialsOf(contract, operation),
      mediaType: content === undefined ? undefined : body?.mediaType,
      body: content,
    }
  })
}

/** A draft with other texts of one parameter. */
export function withTexts(draft: Draft, parameter: DescribedParameter, texts: Texts): Draft {
  return { ...draft, texts: new Map([...draft.texts, [parameter, texts]]) }
}

/** Whether a body is more than an operation takes, whatever it says. */
export function isTooLarge({ operation, body }: Draft): boolean {
  return Buffer.byteLength(body ?? '') > (operation.body?.maxBytes ?? Infinity)
}

/** The request that a draft is of. */
export function toSent(draft: Draft): Sent {
  const { operation, texts, query, fields, credentials, mediaType, body } = draft
  const placed = (place: string) => [...texts].filter(([parameter]) => parameter.in === place)
  const path = placed('path').reduce(
    (template, [{ name }, [text = '']]) =>
      template.replace(`{${name}}`, () => encodeURIComponent(text)),
    basePath + operation.path,
  )
  const pairs = placed('query').flatMap(([{ name }, values]) =>
    values.map((text) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`),
  )
  const search = [...pairs, ...query].join('&')
  const cookies = placed('cookie').map(([{ name }, [text = '']]) => `${name}=${text}`)
  return {
    method: operation.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: [
      ...credentials,
      ...fields,
      ...placed('header').flatMap(([{ name }, values]) => values.map((value) => ({ name, value }))),
      ...(cookies.length === 0 ? [] : [{ name: 'Cookie', value: cookies.join('; ') }]),
      ...(mediaType === undefined ? [] : [{ name: 'Content-Type', value: mediaType }]),
    ],
    body,
  }
}

/** Whether a parameter cannot be made, because links are what it is taken from. */
export function isOpaque({ pagedBy }: DescribedOperation, { name, in: place }: DescribedParameter) {
  return place === 'query' && name === pagedBy
}

function bodiesOf(contract: Contract, body: NonNullable<DescribedOperation['body']>) {
  const { maxBytes = Infinity } = body
  const bodies = contract.valuesOf(body.schema).map((value) => JSON.stringify(value))
  const fitting = kept(
    bodies,
    (text) => Buffer.byteLength(text) <= maxBytes,
    `bodies of ${maxBytes} bytes`,
  )
  return body.isRequired ? fitting : fc.option(fitting, { nil: undefined })
}

/** A request may have a name that is in its answer, where answers are described with one. */
function requestIds(contract: Contract, { path, method, successes }: DescribedOperation) {
  const { locate } = createContractIndex(contract.root)
  const place = ['paths', path, method.toLowerCase(), 'responses', String(successes[0])]
  const name = 'X-Request-Id'
  const header = locate([...place, 'headers', name])
  if (header === undefined) return fc.constant([])
  const values = contract.valuesOf(header.node['schema'])
  return fc.option(
    values.map((value) => [{ name, value: String(value) }]),
    { nil: [] },
  )
}
