import { expect, test } from 'vitest'
import type { Applicant } from '../../server/access/admission.ts'
import type { Operation } from '../../server/contract/description/operation.ts'
import type { Exchange, Request, Response } from '../../server/contract/exchange.ts'
import { createCrossOrigin } from '../../server/contract/request/cross-origin.ts'
import { decideReply, nameOf } from '../../server/reply-decision.ts'
import { description, operations } from '../support/workshop-description.ts'

const reply = { status: 200, body: 'made' }

function responseTo(exchange: Partial<Exchange>): Response {
  const usual = {
    path: '/tools',
    underContract: true,
    match: { kind: 'path-unknown' },
    headers: {},
  }
  // Only what is decided by is looked at.
  return { locals: { exchange: { ...usual, ...exchange } } } as unknown as Response
}

/** What is decided of a request, and whom the decision on admission was made about. */
async function decide(exchange: Partial<Exchange>) {
  const applicants: Applicant[] = []
  const rawHeaders = ['Host', 'a', 'Authorization', 'Bearer x']
  const request = { httpVersion: '1.1', headers: {}, rawHeaders, url: '/tools' }
  const options = {
    contract: { call: () => reply },
    admit: async (applicant: Applicant) => {
      applicants.push(applicant)
      return { headers: { 'X-Limit': 1 }, callerId: 'key' }
    },
    crossOrigin: createCrossOrigin([], description, operations),
    ...{ pages: {}, trustProxy: 0 },
  }
  const response = responseTo(exchange)
  const decided = await decideReply(options, request as unknown as Request, response)
  return { decided, applicants, exchange: response.locals.exchange }
}

const operationWith = (security: Operation['security']): Exchange['match'] => {
  const [operation] = Object.values(operations)
  if (operation === undefined) throw new Error('There is no operation.')
  return { kind: 'operation', operation: { ...operation, security }, pathValues: {} }
}

test('whoever is let in is known from then on, and the contract answers', async () => {
  const { decided, applicants, exchange } = await decide({})
  expect(decided).toBe(reply)
  expect(applicants).toMatchObject([{ credentials: ['Bearer x'] }])
  expect(exchange).toMatchObject({ callerId: 'key', headers: { 'X-Limit': 1 } })
})

test.for([
  ['an operation without security', operationWith([]), true],
  ['one that may go without', operationWith([{ badge: [] }, {}]), true],
  ['one with security', operationWith([{ badge: [] }]), false],
  ['what is no operation', { kind: 'path-unknown' }, false],
] as const)('%s: whether a key is optional', async ([, match, isOptional]) => {
  const { applicants } = await decide({ match })
  expect(applicants[0]?.isKeyOptional()).toBe(isOptional)
})

test('where neither the contract nor a page answers, there is no such path', async () => {
  await expect(decide({ underContract: false, path: '/none' })).rejects.toMatchObject({
    ...{ status: 404, code: 'not_found', message: 'There is no such path.' },
  })
})

test('what was asked for has one of few names', () => {
  const match = operationWith([])
  const operationId = match.kind === 'operation' ? match.operation.operationId : ''
  expect(nameOf(responseTo({ match }))).toBe(operationId)
  expect(nameOf(responseTo({ path: '/v1/whatever' }))).toBe('no operation')
  expect(nameOf(responseTo({ path: '/docs', underContract: false }))).toBe('/docs')
})
