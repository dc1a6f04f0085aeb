import { client } from './client.ts'
import { generate } from './generate.ts'
import { memory } from './memory.ts'
import { manyOperations } from './operations.ts'
import { pages } from './pages.ts'
import type { Part } from './part.ts'
import { requests } from './requests.ts'
import { starts } from './start.ts'
import { writers } from './writers.ts'

/** All parts of a run, in their order. */
export const parts: readonly Part[] = [
  ...[requests, writers, pages, manyOperations],
  ...[starts, memory, generate, client],
]

export const namesOfParts = parts.flatMap(({ names }) => names)
