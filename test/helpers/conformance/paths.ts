import { METHODS } from 'node:http'
import { judgeRejected, rejections, statusViolations, withoutBody } from './cases.ts'
import { type Operation, pathPattern } from './description.ts'
import { draftsOf, type Sent, toSent } from './requests.ts'
import { headerValue, type Response } from './responses.ts'
import { type Bench, type Case, createCase, type Trial } from './run.ts'
import type { Generator } from './variations.ts'

// They depend on the request or on the moment.
const changing = /^(?:connection|keep-alive|date|x-request-id|x-ratelimit-(?:remaining|reset))$/i

/** Makes the case of HEAD, whose response is that of GET without the content. */
export function headCases(generator: Generator, operation: Operation): Case[] {
  if (operation.method !== 'GET') return []
  const stable = ({ status, headers }: Response) =>
    headers
      .filter(({ name }) => !changing.test(name))
      .map(({ name, value }) => `${name}: ${value}`)
      .sort()
      .concat(`status: ${status}`)
      .join('; ')
  const same = createCase({
    check: 'method: HEAD',
    operation: operation.operationId,
    values: draftsOf(generator, operation).map((draft) => toSent(generator, draft)),
    async judge(sent, { exchange }) {
      const get = await exchange(sent)
      const head = await exchange({ ...sent, method: 'HEAD' })
      const [one, other] = [stable(head.response), stable(get.response)]
      return [
        ...(one === other ? [] : [`HEAD gives ${one}, GET gives ${other}`]),
        ...head.violations,
      ]
    },
    requests: (sent) => [{ ...sent, method: 'HEAD' }],
  })
  return [same]
}

/** Makes the cases of paths: the methods of each, and that there are no others. */
export function pathCases(generator: Generator): Case[] {
  const { operations } = generator.description
  return [...Map.groupBy(operations, ({ path }) => path)].flatMap(([path, own]) => {
    const methods = new Set([...own.map(({ method }) => method), 'OPTIONS'])
    if (methods.has('GET')) methods.add('HEAD')
    const [operation] = own
    if (operation === undefined) return []
    // Public operations share their paths with methods that are not.
    const schemes = [...new Set(operations.flatMap((one) => one.schemes))]
    const drafts = draftsOf(generator, { ...operation, schemes }).map((draft): Sent => {
      return { ...toSent(generator, withoutBody(draft)), method: 'OPTIONS' }
    })
    const ofPath = (trial: Pick<Trial<Sent>, 'check' | 'values' | 'judge' | 'isSingle'>) =>
      createCase({ ...trial, operation: path, requests: (sent) => [sent] })
    // CONNECT asks for a tunnel and has no path (RFC 9110, section 9.3.6).
    const undeclared = METHODS.filter((method) => !methods.has(method) && method !== 'CONNECT')
    return [
      ...undeclared.map((method) =>
        ofPath({
          check: 'method: undeclared',
          values: drafts.map((sent) => ({ ...sent, method })),
          isSingle: true,
          judge: (sent, bench) => judgeMethods(sent, bench, methods, rejections.method),
        }),
      ),
      ofPath({
        check: 'method: OPTIONS',
        values: drafts,
        judge: (sent, bench) => judgeMethods(sent, bench, methods, 204),
      }),
      ...unknownPaths(generator, path).map((change) =>
        ofPath({
          check: 'path: unknown',
          values: drafts.map((sent) => {
            return { ...sent, method: 'GET', path: change(sent.path.split('?')[0] ?? '') }
          }),
          isSingle: true,
          judge: (sent, bench) => judgeRejected(sent, bench, rejections.path),
        }),
      ),
    ]
  })
}

async function judgeMethods(
  sent: Sent,
  bench: Bench,
  methods: ReadonlySet<string>,
  status: number,
) {
  const { response, violations } = await bench.exchange(sent)
  const allow = headerValue(response.headers, 'Allow') ?? ''
  const named = new Set(allow.split(',').map((method) => method.trim()))
  const isSame = named.symmetricDifference(methods).size === 0
  return [
    ...statusViolations(response, [status]),
    ...violations,
    ...(isSame ? [] : [`Allow is ${allow}, and should be ${[...methods].join(', ')}`]),
  ]
}

/** Changes of a path after which it is none of the description's. */
function unknownPaths({ description }: Generator, path: string) {
  const { basePath, operations } = description
  const known = operations.map((operation) => pathPattern(basePath, operation.path))
  const below = `/${Array.from({ length: 6 }, (_, at) => `Part-${at}`).join('/')}`
  const ends = ['/', '//', '/x', '.json', ';a=b', '%2F', '/..', '/.', below]
  const changes = [
    ...ends.map((end) => (from: string) => from + end),
    (from: string) => basePath + from.slice(basePath.length).toUpperCase(),
    (from: string) => from.replace(basePath, `${basePath}/`),
  ]
  // A parameter of any text includes the end, and a longer path may be described as well.
  const sample = basePath + path.replaceAll(/\{[^{}]+\}/g, '1')
  return changes.filter((change) => !known.some((pattern) => pattern.test(change(sample))))
}
