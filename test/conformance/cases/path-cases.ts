import { METHODS } from 'node:http'
import type fc from 'fast-check'
import { headerValue } from '../../support/traffic/exchange.ts'
import { type Bench, type Case, createCase } from '../support/case.ts'
import type { Contract } from '../support/contract.ts'
import type { DescribedOperation } from '../support/described.ts'
import { type Draft, draftsOf, toSent } from '../support/draft.ts'
import { type Fault, unless } from '../support/fault.ts'
import { type Answer, type Sent, send, toCurl } from '../support/sent.ts'
import { judgeRefused, refusals } from './refusal.ts'
import { unknownPaths } from './unknown-paths.ts'

/** What the service says of its paths: the methods of each, and that there are no others. */
export function pathCases(contract: Contract): Case[] {
  const paths = Map.groupBy(contract.operations, ({ path }) => path)
  return [...paths].flatMap(([path, operations]) => {
    const methods = new Set([...operations.map(({ method }) => method), 'OPTIONS'])
    if (methods.has('GET')) methods.add('HEAD')
    const [operation] = operations
    if (operation === undefined) return []
    const drafts = draftsOf(contract, operation).map(bare)
    return [
      ...undeclared(methods).map((method) => refusedMethod(path, method, drafts, methods)),
      options(path, drafts, methods),
      ...unknownPaths(path, drafts, contract.operations),
    ]
  })
}

/** HEAD is answered as GET is, without the content. */
export function headCases(contract: Contract, operation: DescribedOperation): Case[] {
  if (operation.method !== 'GET') return []
  const same = createCase({
    check: 'method: HEAD',
    operation: operation.operationId,
    values: draftsOf(contract, operation).map(toSent),
    judge: (sent, bench) => judgeHead(sent, bench, operation),
    show: (sent, origin) => toCurl({ ...sent, method: 'HEAD' }, origin),
  })
  return [same]
}

function bare(draft: Draft): Sent {
  return { ...toSent({ ...draft, mediaType: undefined, body: undefined }), method: 'OPTIONS' }
}

// CONNECT asks for a tunnel, and has no path (RFC 9110, section 9.3.6).
function undeclared(methods: ReadonlySet<string>): string[] {
  return METHODS.filter((method) => !methods.has(method) && method !== 'CONNECT')
}

function refusedMethod(
  path: string,
  method: string,
  drafts: fc.Arbitrary<Sent>,
  methods: ReadonlySet<string>,
): Case {
  return createCase({
    check: 'method: undeclared',
    operation: `${method} ${path}`,
    values: drafts.map((sent) => ({ ...sent, method })),
    isSingle: true,
    async judge(sent, bench) {
      const faults = await judgeRefused(sent, bench, { status: refusals.method })
      const { target } = bench
      return [...faults, ...allowFaults(await send(target, sent, target.apiKey), methods)]
    },
    show: toCurl,
  })
}

function options(path: string, drafts: fc.Arbitrary<Sent>, methods: ReadonlySet<string>): Case {
  return createCase({
    check: 'method: OPTIONS',
    operation: `OPTIONS ${path}`,
    values: drafts,
    async judge(sent, { check, target }) {
      const answer = await send(target, sent, target.apiKey)
      const isFine = answer.status >= 200 && answer.status < 300
      return [
        ...unless(isFine, 'outcome', `it is answered ${answer.status}`),
        ...check(sent, answer),
        ...allowFaults(answer, methods),
      ]
    },
    show: toCurl,
  })
}

function allowFaults({ headers }: Answer, methods: ReadonlySet<string>): Fault[] {
  const said = headerValue(headers, 'Allow') ?? ''
  const named = new Set(said.split(',').map((method) => method.trim()))
  const isSame = named.symmetricDifference(methods).size === 0
  return unless(isSame, 'methods', `Allow is ${said}, and should be ${[...methods].join(', ')}`)
}

// These tell of the request or of the moment.
const changing = /^(?:connection|keep-alive|date|x-request-id|x-ratelimit-(?:remaining|reset))$/i

async function judgeHead(sent: Sent, bench: Bench, operation: DescribedOperation) {
  const { target, check } = bench
  const head = { ...sent, method: 'HEAD' }
  const asked = await send(target, sent, target.apiKey)
  const before = target.state()
  const answer = await send(target, head, target.apiKey)
  const steady = ({ headers }: Answer) =>
    headers
      .filter(({ name }) => !changing.test(name))
      .map(({ name, value }) => `${name}: ${value}`)
      .sort()
      .join('; ')
  const isSame = answer.status === asked.status && steady(answer) === steady(asked)
  return [
    ...unless(isSame, 'methods', `HEAD gives ${steady(answer)}, GET gives ${steady(asked)}`),
    ...check(head, answer, operation.node),
    ...unless(target.state() === before, 'store', 'it only asks, and changes what is kept'),
  ]
}
