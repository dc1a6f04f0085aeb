import { expect, test } from 'vitest'
import { findUnread } from '../../../scripts/checks/handlers.ts'

const parameters = { query: { colour: {} }, header: { 'X-Size': {} } }
const both = ['query parameter `colour`', 'header parameter `X-Size`']
const { 0: colour = '', 1: size = '' } = both

/** The code after the type of a handler, and the parameters that it does not read. */
const rows: readonly (readonly [code: string, unread: readonly string[]])[] = [
  ['= ({ query: { colour }, headers }) => find(colour, headers)', []],
  ['= ({ query, headers }) => find(query, headers)', []],
  ['= ({ query }) => find(query.colour)', [size]],
  ["= ({ query, headers }) => find(query.limit, headers['X-Size'])", [colour]],
  ['= ({ body }) => add(body)', both],
  ['= () => list()', both],
  ['= (_input, { respond }) => respond(200, all)', both],
  ['= (_) => list()', both],
  // All values are passed on, so that the text leaves it open.
  ['= (input) => find(input)', []],
  ['= (input, { respond }) => respond(200, find(input))', []],
  ['= ({ ...values }) => find(values)', []],
  ['= (_input: Input) => find(_input)', []],
]

test.for(rows)('a handler `%s` does not read %j', ([code, unread]) => {
  const text = `const handler: Handler<'findTools'> ${code}`
  expect(findUnread(text, text.indexOf('Handler<'), { parameters })).toEqual(unread)
})
