import { client, type Handler } from './api.ts'
import type { Point } from './generated/calls.ts'

export const point: Point = [1, 2]
client.addLine({ row: ['a', [1, 2], true, false], pair: ['a'] })
client.addLine({ row: [], pair: ['a', 1], open: ['a', 1, true], short: [], grid: [[1], [2]] })
export const y = client.addPoint([1, 2]).then((added): number => added[1])
export const handler: Handler<'addPoint'> = ({ body: [x] }, { respond }) => respond(200, [x, 1])

// @ts-expect-error a point has two numbers
client.addPoint([1])
// @ts-expect-error a point has two numbers
client.addPoint([1, 2, 3])
// @ts-expect-error a point has two numbers
client.addPoint(['a', 'b'])
// @ts-expect-error the second one is a point
client.addLine({ row: ['a', true] })
// @ts-expect-error those after the second one are true or false
client.addLine({ row: ['a', [1, 2], 'b'] })
// @ts-expect-error the second one is a number
client.addLine({ row: ['a', [1, 2]], pair: ['a', 'b'] })
// @ts-expect-error it has a text at least
client.addLine({ row: [], open: [] })
// @ts-expect-error it has one item at most
client.addLine({ row: [], short: ['a', 1] })
// @ts-expect-error a grid has rows
client.addLine({ row: [], grid: [1] })
// @ts-expect-error a point has two numbers
export const wrong: Handler<'addPoint'> = (_input, { respond }) => respond(200, [1])
