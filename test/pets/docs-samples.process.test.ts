import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import clientManifest from '../../client/package.json' with { type: 'json' }
import { operations } from '../../generated/operations.ts'
import { describeForPage } from '../../scripts/pipeline/reference-page.ts'
import { runInShell, startProgram } from '../helpers/program.ts'
import { startTestService } from '../helpers/service.ts'
import { createTemporaryFolder } from '../helpers/temporary-folder.ts'

const file = new URL('../../generated/openapi.json', import.meta.url)
const { paths }: { paths: Record<string, Record<string, Described>> } = Object(
  describeForPage(JSON.parse(readFileSync(file, 'utf8'))),
)

interface Described {
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[]
}

test.each([operations.listPets, operations.createPet, operations.getPet])(
  'the samples of $operationId in the reference work',
  async ({ path, method }) => {
    const { apiKey, client, origin } = await startTestService()
    await client.createPet({ name: 'Rex', categoryId: 7, status: 'available' })
    const sampleOf = (wanted: string): string => {
      const samples = paths[path]?.[method]?.['x-codeSamples'] ?? []
      const { source = '' } = samples.find(({ label }) => label === wanted) ?? {}
      return source.replaceAll(/https:\/\/[^/]+/g, origin)
    }

    const sample = sampleOf(clientManifest.name)
    const entry = new URL('../../client/index.ts', import.meta.url).href
    const program = join(createTemporaryFolder(), 'sample.ts')
    writeFileSync(program, sample.replace(clientManifest.name, entry))
    const { ended } = startProgram(program, [], { env: { KEY: apiKey } })
    expect((await ended).output).toMatch(/name: 'Rex'/)

    const call = sampleOf('curl').replace('curl ', 'curl -fsS ')
    const shell = await runInShell(`KEY=${apiKey}\n${call}`)
    expect(shell.output).toContain('"name":"Rex"')
  },
)
