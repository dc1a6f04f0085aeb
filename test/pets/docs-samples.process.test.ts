import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import clientManifest from '../../client/package.json' with { type: 'json' }
import { startTestService } from '../helpers/service.ts'
import { createTemporaryFolder } from '../helpers/temporary-folder.ts'

const run = promisify(execFile)

test.each(['listPets', 'createPet', 'getPet'])(
  'the samples of %s in the reference work',
  async (operationId) => {
    const { send, apiKey, client, origin } = await startTestService()
    await client.createPet({ name: 'Rex', categoryId: 7, status: 'available' })
    const page = await (await send('/docs', { headers: {} })).text()
    const section = page.slice(page.indexOf(`<section class="operation" id="${operationId}"`))
    const sampleOf = (name: string): string => {
      const [, text = ''] =
        new RegExp(`data-sample="${name}">(.*?)</code>`, 's').exec(section) ?? []
      const plain = text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&gt;', '>')
      return plain.replace(/https:\/\/[^/]+/, origin).replaceAll('&amp;', '&')
    }
    const environment = { PATH: process.env['PATH'], KEY: apiKey }

    const sample = sampleOf('client')
    expect(sample).toContain(`from '${clientManifest.name}'`)
    const entry = new URL('../../client/index.ts', import.meta.url).href
    const file = join(createTemporaryFolder(), 'sample.ts')
    writeFileSync(file, sample.replace(clientManifest.name, entry))
    const { stdout } = await run(process.execPath, [file], { env: environment })
    expect(stdout).toMatch(/name: 'Rex'/)

    const shell = await run('sh', ['-euc', sampleOf('curl').replace('curl ', 'curl -fsS ')], {
      env: environment,
    })
    expect(shell.stdout).toContain('"name":"Rex"')
  },
)
