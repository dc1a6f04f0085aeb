import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateIn, runIn, typeFaultsIn } from './support/compiling.ts'
import { kittensAdded } from './support/kittens.ts'
import { createProjectCopy, editSpec } from './support/project-copy.ts'

/** A program of somebody who uses the client; it prints what its calls give and send. */
const program = `
import { createAnimalStore } from '../client/index.ts'

const sent: unknown[] = []
const kitten = { id: 1, name: 'Mia', categoryId: 3 }
const store = createAnimalStore({
  baseUrl: 'https://animals.example/v1',
  apiKey: 'ask_test',
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    const { method, headers: fields } = request
    const keys = ['idempotency-key', 'x-owner'].map((name) => fields.get(name))
    sent.push([method, pathname + search, await request.text(), ...keys])
    if (request.method === 'POST') return Response.json(kitten, { status: 201 })
    const headers = { Link: '<?cursor=c' + sent.length + '>; rel="next"' }
    return Response.json([kitten], sent.length < 3 ? { headers } : {})
  },
})

const names: string[] = []
for await (const { name } of store.listKittens(7, { limit: 1 }, { maxPages: 9 })) names.push(name)
const headers = { 'Idempotency-Key': 'once', 'X-Owner': 'me' }
const { id } = await store.addKitten(7, { name: 'Mia', categoryId: 3 }, { headers })
console.log(JSON.stringify({ names, id, sent }))

export function mistakes(): void {
  // @ts-expect-error whose kittens
  store.listKittens()
  // @ts-expect-error an id is a number
  store.listKittens('7')
  // @ts-expect-error kittens have no filter
  store.listKittens(7, { status: 'sold' })
  // @ts-expect-error a kitten is needed
  store.addKitten(7)
  // @ts-expect-error a kitten has a category
  store.addKitten(7, { name: 'Mia' }, { headers })
  // @ts-expect-error somebody owns it
  store.addKitten(7, { name: 'Mia', categoryId: 3 })
  // @ts-expect-error somebody owns it, whatever else is said
  store.addKitten(7, { name: 'Mia', categoryId: 3 }, { headers: { 'Idempotency-Key': 'once' } })
  // @ts-expect-error one kitten has no pages
  store.addKitten(7, { name: 'Mia', categoryId: 3 }, { headers, maxPages: 9 })
  // @ts-expect-error a page is a list
  store.listKittens(7).then(({ name }) => name)
}
`

test('an operation that is added to the spec is a method of the client, typed by it', async () => {
  const copy = await createProjectCopy()
  await editSpec(copy, kittensAdded)
  expect(await generateIn(copy)).toEqual([])
  await writeFile(join(copy, 'test/program.ts'), program)

  // The service has to be taught the operations, the client does not.
  const files = (await typeFaultsIn(copy)).map(({ file }) => file)
  expect(files.filter((file) => !file.startsWith('server/animals/'))).toEqual([])

  const { output, complaint } = await runIn(copy, 'test/program.ts')
  expect(complaint).toBe('')
  expect(JSON.parse(output)).toEqual({
    names: ['Mia', 'Mia', 'Mia'],
    id: 1,
    sent: [
      ['GET', '/v1/pets/7/kittens?limit=1', '', null, null],
      ['GET', '/v1/pets/7/kittens?limit=1&cursor=c1', '', null, null],
      ['GET', '/v1/pets/7/kittens?limit=1&cursor=c2', '', null, null],
      ['POST', '/v1/pets/7/kittens', '{"name":"Mia","categoryId":3}', 'once', 'me'],
    ],
  })
})
