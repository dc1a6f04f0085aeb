import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import contract from '../../generated/openapi.json' with { type: 'json' }
import { capacity as mostRecent } from '../../server/access/keyring.ts'
import { capacity as mostCounted } from '../../server/access/memory-tally.ts'
import { plans } from '../../server/access/plans.ts'
import { readConfig } from '../../server/config.ts'
import { longestEcho, mostDetails } from '../../server/contract/answer/error-reply.ts'
import { maximumDepth } from '../../server/contract/i-json/json-scanner.ts'
import { longestTarget } from '../../server/contract/request/framing.ts'
import { lingering } from '../../server/contract/request/framing-answers.ts'
import { mostHeaderBytes, mostHeaderFields, mostUnanswered } from '../../server/ops/http-server.ts'
import { mostWaiting as mostLinesWaiting } from '../../server/ops/log-destination.ts'
import { longestLine } from '../../server/ops/log-line.ts'
import { mostWaiting } from '../../server/ops/overload/overload.ts'
import { longestRest, mostPerSecond } from '../../server/ops/overload/rest.ts'
import { mostSpared } from '../../server/ops/overload/spared.ts'
import { longestWait } from '../../server/ops/overload/waiting-line.ts'
import { mostUnread } from '../../server/ops/unread.ts'
import { requestPatience } from '../../server/store/postgres/patience.ts'
import { patience as sqlitePatience } from '../../server/store/sqlite/write-queue.ts'
import { variables } from '../support/variables.ts'

const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| limit |'))
const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()))

const { connections, ...config } = readConfig({})
const { schemas, parameters } = contract.components
const inWords = (number: number, unit = '') => `${number.toLocaleString('en')} ${unit}`.trim()
const ofPlan = ({ perMinute, perDay }: { perMinute: number; perDay: number }) =>
  `${inWords(perMinute, 'a minute')}, ${inWords(perDay, 'a day')}`

/** The numbers that hold, as the page says them; in its order. */
const numbers = [
  inWords(longestTarget, 'characters'),
  inWords(mostHeaderBytes, 'bytes'),
  inWords(mostHeaderFields),
  // Fixed in node:http; a test of framing meets it.
  '16,384 bytes',
  inWords(contract.paths['/pets'].post.requestBody['x-max-bytes'], 'bytes'),
  inWords(maximumDepth, 'levels'),
  inWords(schemas.PetFields.properties.name.maxLength, 'characters'),
  inWords(parameters.Limit.schema.maximum),
  // Its schema allows for the quoted form; a test of the operation meets the limit.
  '255 characters',
  inWords(mostDetails),
  inWords(longestEcho),
  inWords(connections.most),
  inWords(connections.perAddress),
  inWords(mostUnanswered),
  inWords(connections.headersSeconds, 's'),
  inWords(connections.requestSeconds, 's'),
  inWords(connections.exchangeSeconds, 's'),
  inWords(connections.idleSeconds, 's'),
  inWords(lingering / 1_000, 's'),
  inWords(config.requestsAtOnce, 'each'),
  inWords(config.overloadWaitMs, 'ms'),
  `${inWords(longestWait / 1_000, 's')}, or \`OVERLOAD_WAIT_MS\` if that is more`,
  inWords(mostWaiting, 'each'),
  inWords(mostPerSecond, 'a second'),
  inWords(longestRest / 1_000, 's'),
  inWords(mostSpared),
  ofPlan(plans.free),
  ofPlan(plans.pro),
  ofPlan(plans.business),
  inWords(config.anonymousPerMinute, 'a minute'),
  inWords(config.banAfter),
  inWords(config.banSeconds, 's'),
  inWords(mostCounted),
  inWords(mostCounted),
  inWords(mostRecent),
  inWords(mostUnread, 'bytes'),
  inWords(longestLine, 'characters'),
  inWords(mostLinesWaiting, 'bytes'),
  inWords(requestPatience / 1_000, 's'),
  inWords(sqlitePatience / 1_000, 's'),
  inWords(config.databasePoolSize),
  inWords(config.idempotencyHours, 'h'),
  inWords(config.shutdownGraceSeconds, 's'),
]

test('the page of limits says the numbers that hold', () => {
  expect(cells.map(([, , number]) => number)).toEqual(numbers)
})

test('each variable that it names is read, and each that is a limit is named', () => {
  const named = cells.flatMap(([, , , place = '']) => /^`([A-Z_]{2,})`$/.exec(place)?.[1] ?? [])
  expect(variables).toEqual(expect.arrayContaining(named))
  const limits = variables.filter((name) =>
    /MAX|SECONDS|HOURS|PER_|AFTER|SIZE|_MS|AT_ONCE/.test(name),
  )
  expect(named.toSorted()).toEqual(limits.toSorted())
})

test('every row says what happens beyond it', () => {
  const silent = cells.filter(([, , , , beyond]) => beyond === '').map(([, limit]) => limit)
  expect(silent).toEqual(['length of a ban'])
})
