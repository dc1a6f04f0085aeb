import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { rolldown } from 'rolldown'
import { projectPath } from '../pipeline/project.ts'

/**
 * Bytes of what an application ships that imports a name of the client, or `*` for all of it:
 * minified and gzipped, dependencies included.
 */
export async function measureShipped(name: string): Promise<number> {
  const entry = 'entry'
  const what = name === '*' ? name : `{ ${name} }`
  const bundle = await rolldown({
    input: entry,
    cwd: projectPath('client'),
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? `export ${what} from './index.ts'` : null),
      },
    ],
  })
  const { output } = await bundle.generate({ minify: true, comments: false })
  await bundle.close()
  const zipped = await promisify(gzip)(output[0].code, { level: 9 })
  return zipped.length
}
