import { expect, test } from 'vitest'
import { examples } from '../../generated/examples.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { runCommand } from './support/command.ts'
import { createConsumer } from './support/consumer.ts'
import { findNode } from './support/node-versions.ts'
import { installWithTools } from './support/package.ts'

const program = `
import { createAnimalStore } from 'animal-store-client'
import { createStandIn } from 'animal-store-client/testing'
import { setupServer } from 'msw/node'

const baseUrl = 'https://animals.example/v1'
const standIn = createStandIn(baseUrl)
const server = setupServer(...standIn.handlers)
server.listen()
const store = createAnimalStore({ baseUrl, apiKey: 'ask_key', retry: false })
const created = await store.createPet({ name: 'Any', categoryId: 1 })
server.use(standIn.listPets.answers(429, 'banned'))
const { code, retryAfter } = await store.listPets().catch((error) => error)
server.close()
console.log(JSON.stringify([created.name, code, retryAfter]))
`

// MSW 3 wants Node 22.12: who is on 20 has version 2.
test.each([
  ['2', 20],
  ['2', 26],
  [packageJson.devDependencies.msw, 22],
  [packageJson.devDependencies.msw, 26],
])(
  'the answers for tests work with MSW %s on Node %i',
  async (version, major) => {
    const node = await findNode(major)
    const folder = await createConsumer({ 'test.mjs': program }, installWithTools(version))
    const output = await runCommand(node, ['test.mjs'], folder)
    const { bodies, headers } = examples.listPets[429]
    const { name } = examples.createPet[201].bodies.complete
    const seconds = Number(headers['Retry-After'])
    expect(JSON.parse(output)).toEqual([name, bodies.banned.code, seconds])
  },
  180_000,
)

test('who does not test with MSW does not get it', async () => {
  const folder = await createConsumer({ 'any.mjs': "import 'animal-store-client/testing'" })
  const imported = runCommand(process.execPath, ['any.mjs'], folder)
  await expect(imported).rejects.toThrow("Cannot find package 'msw'")
})
