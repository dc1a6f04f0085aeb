import { createHash } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, vi } from 'vitest'
import { project as platform } from '../../../../helpers/program.ts'
import { Project } from '../../../any-contract/project.ts'

// A project is made, built and started, and packages are installed.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 })

/** An API with an upload, a download, a form with files, a form without, and a stream of events. */
const description = join(
  platform,
  'test/platform/any-contract/descriptions/uploads-forms-and-events',
)

/** Makes a project of the API, builds its client, and starts its service for pages of an origin. */
export async function startGallery(pageOrigin: string) {
  const project = await Project.create()
  afterAll(() => project.remove())
  const run = async (line: string) => {
    const { isGreen, output } = await project.run(line)
    if (!isGreen) {
      throw new Error(`${line}: ${output}`)
    }
  }
  await run(`npm run -s init -- --spec '${description}/openapi.yaml' --name gallery`)
  await cp(join(description, 'handlers.ts'), project.path('server/api/handlers.ts'))
  await run('npm run -s generate && npm run -s build')

  const { origin, key, stop } = await project.startService({
    CORS_ORIGINS: pageOrigin,
    RATE_LIMITS: 'off',
  })
  afterAll(stop)
  if (key === undefined) {
    throw new Error('The service has printed no key.')
  }
  const baseUrl = `${origin}/v1`
  return { baseUrl, apiKey: key, folder: project.folder, values: printValues(baseUrl, key) }
}

/** The bytes that every client uploads. */
export const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * index) % 251)

const sha256 = createHash('sha256').update(bytes).digest('hex')

/** The file that every client uploads, as the service describes it. */
export const image = { type: 'image/png', size: bytes.length, sha256 }

const file = { name: 'saws ë.png', ...image }

/** What every client gets from the service. */
export const exchanged = {
  image,
  download: sha256,
  album: { title: 'Sea & sun', year: 1999, cover: file, pages: [file, file] },
  note: { text: 'a & ë = +', stars: 5, tags: ['a', 'b'] },
}

/** Returns the first lines of a program: constants with what it sends, and where. */
function printValues(baseUrl: string, apiKey: string): string {
  const { title, year, cover } = exchanged.album
  const values = { baseUrl, apiKey, title, year, note: exchanged.note, name: cover.name }
  return `const { baseUrl, apiKey, title, year, note, name } = ${JSON.stringify(values)}
const type = '${image.type}'
const bytes = Uint8Array.from({ length: ${bytes.length} }, (_, index) => (index * index) % 251)
const blob = new Blob([bytes], { type })
const image = new File([bytes], name, { type })
`
}
