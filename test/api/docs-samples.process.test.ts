import { expect, test } from 'vitest'
import clientManifest from '../../client/package.json' with { type: 'json' }
import description from '../../generated/openapi.json' with { type: 'json' }
import { basePath, operations } from '../../generated/operations.ts'
import { codeSamples } from '../../scripts/pipeline/code-samples.ts'
import { readBundled } from '../../server/description/description-reader.ts'
import { withBaseUrl } from '../../server/docs/text/code-samples.ts'
import { runClientSnippet, runCurl } from '../helpers/page-code.ts'
import { startAnimalStore } from './support/service.ts'

const samples = codeSamples(readBundled(description))

test.each([operations.listPets, operations.createPet, operations.getPet])(
  'the samples of $operationId in the reference work',
  async ({ operationId }) => {
    const { apiKey, client, origin } = await startAnimalStore()
    await client.createPet({ name: 'Rex', categoryId: 7, status: 'available' })
    const sampleOf = (wanted: string): string => {
      const sample = samples[operationId]?.find(({ label }) => label === wanted)
      return sample === undefined ? '' : withBaseUrl(sample, origin + basePath).source
    }
    const printed = await runClientSnippet(sampleOf(clientManifest.name), apiKey)
    expect(printed).toMatch(/name: 'Rex'/)
    expect(await runCurl(sampleOf('curl'), apiKey)).toContain('"name":"Rex"')
  },
)
