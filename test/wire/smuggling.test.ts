import { expect, test } from 'vitest'
import { statusesIn } from '../support/answers.ts'
import { exchangeBytes } from '../support/raw.ts'
import { startTestService } from '../support/service.ts'
import { ambiguous } from './support/ambiguous.ts'
import { animal, createRequests, length } from './support/requests.ts'
import { unambiguous } from './support/unambiguous.ts'

test.each([
  ['ambiguous', ambiguous],
  ['unambiguous', unambiguous],
] as const)('%s requests get these answers, and not a byte more', async (_, rows) => {
  const service = await startTestService()
  const requests = createRequests(service)
  const got = await Promise.all(
    rows.map(async ([what, , write]) => {
      const { text } = await exchangeBytes(service.origin, write(requests))
      return [what, statusesIn(text)]
    }),
  )
  expect(Object.fromEntries(got)).toEqual(
    Object.fromEntries(rows.map(([what, statuses]) => [what, statuses])),
  )
  const created = rows.flatMap(([, statuses]) => statuses).filter((status) => status === 201)
  expect(await service.client.listPets()).toHaveLength(created.length)
  expect(service.logged).toEqual([])
})

test('a request whose content breaks off after its answer gets no second one', async () => {
  const { origin } = await startTestService()
  const head = 'POST /v1/pets HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
  const { text } = await exchangeBytes(origin, head, 100, 'zz\r\n')
  expect(statusesIn(text)).toEqual([401])
})

test('a fault in the content of a pipelined request does not overtake the answer before it', async () => {
  const service = await startTestService()
  const { post, chunked } = createRequests(service)
  const { text } = await exchangeBytes(service.origin, post(length, animal) + chunked('zz\r\n'))
  expect(statusesIn(text)).toEqual([201, 400])
})
