import { expect, test } from 'vitest'
import clientManifest from '../../client/package.json' with { type: 'json' }
import description from '../../generated/openapi.json' with { type: 'json' }
import { operations } from '../../generated/operations.ts'
import { describeForPage } from '../../scripts/pipeline/reference-page.ts'
import { runClientSnippet, runCurl } from '../helpers/page-code.ts'
import type { UncheckedJson } from '../helpers/unchecked-json.ts'
import { startAnimalStore } from './support/service.ts'

const { paths }: { readonly paths?: UncheckedJson } = describeForPage(description)

interface Sample {
  readonly label: string
  readonly source: string
}

test.each([operations.listPets, operations.createPet, operations.getPet])(
  'the samples of $operationId in the reference work',
  async ({ path, method }) => {
    const { apiKey, client, origin } = await startAnimalStore()
    await client.createPet({ name: 'Rex', categoryId: 7, status: 'available' })
    const sampleOf = (wanted: string): string => {
      const samples: readonly Sample[] = paths[path][method]['x-codeSamples']
      const { source = '' } = samples.find(({ label }) => label === wanted) ?? {}
      return source.replaceAll(/https:\/\/[^/]+/g, origin)
    }
    const printed = await runClientSnippet(sampleOf(clientManifest.name), apiKey)
    expect(printed).toMatch(/name: 'Rex'/)
    expect(await runCurl(sampleOf('curl'), apiKey)).toContain('"name":"Rex"')
  },
)
