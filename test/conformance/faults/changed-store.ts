import type { Json } from '../../support/traffic/contract-index.ts'
import type { Sent } from '../support/sent.ts'
import type { Meddle } from './meddler.ts'
import { answering, asking, parse, type SeededFault, withBody } from './seeded-fault.ts'

/** Adds an animal that nobody has asked for. */
function stray(sent: Sent): Sent {
  const headers = sent.headers.filter(({ name }) => name.toLowerCase() === 'authorization')
  const type = { name: 'Content-Type', value: 'application/json' }
  const path = '/v1/pets'
  return { method: 'POST', path, headers: [...headers, type], body: '{"name":"a","categoryId":1}' }
}

function adding(change: (name: Json | undefined, category: Json | undefined) => object): Meddle {
  return asking((sent) => {
    if (sent.method !== 'POST') return sent
    return withBody(sent, (animal) => ({
      ...animal,
      ...change(animal['name'], animal['categoryId']),
    }))
  })
}

function listing(change: (page: readonly Json[]) => readonly Json[]): Meddle {
  return answering((answer) => {
    const page = parse(answer.body)
    return Array.isArray(page) ? { ...answer, body: JSON.stringify(change(page)) } : answer
  })
}

/** What is kept, or found, is not what was asked for. */
export const changedStore: readonly SeededFault<Meddle>[] = [
  [
    'what is refused is written all the same',
    async (sent, pass) => {
      const answer = await pass(sent)
      if (answer.status === 400) await pass(stray(sent))
      return answer
    },
    'query: type',
    'store',
  ],
  [
    'asking for a list adds to it',
    async (sent, pass) => {
      if (sent.method === 'GET') await pass(stray(sent))
      return pass(sent)
    },
    'accepted',
    'store',
  ],
  [
    'what is added is kept twice',
    async (sent, pass) => {
      const answer = await pass(sent)
      if (answer.status === 201) await pass(stray(sent))
      return answer
    },
    'read back',
    'read back',
  ],
  [
    'space around a name is dropped',
    adding((name) => (typeof name === 'string' ? { name: name.trim() || name } : {})),
    'read back',
    'read back',
  ],
  [
    'a large number is cut to 32 bits',
    adding((_, category) =>
      Number.isSafeInteger(category) ? { categoryId: Number(category) | 0 } : {},
    ),
    'read back',
    'read back',
  ],
  [
    'only the characters of the first plane are kept',
    adding((name) =>
      typeof name === 'string' ? { name: name.replaceAll(/[^\0-\uFFFF]/gu, '?') } : {},
    ),
    'read back',
    'read back',
  ],
  [
    'a value is made up for what was left out',
    asking((sent) =>
      sent.method === 'POST'
        ? withBody(sent, (animal) => ({ status: 'available', ...animal }))
        : sent,
    ),
    'read back',
    'read back',
  ],
  ['a list lacks its last', listing((page) => page.slice(0, -1)), 'read back', 'read back'],
  ['a list is the wrong way round', listing((page) => page.toReversed()), 'read back', 'read back'],
  [
    'another one is found than was asked for',
    answering((answer, { path }) =>
      path.includes('/pets/') && answer.status === 200
        ? withBody(answer, (animal) => ({ ...animal, id: 1, name: 'Rex' }))
        : answer,
    ),
    'read back',
    'read back',
  ],
]
