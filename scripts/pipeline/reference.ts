import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib'
import { readBundled } from '../../server/description/description-reader.ts'
import type { JsonObject } from '../../server/description/json.ts'
import { type CodeSamplesFile, digestOf } from '../../server/docs/text/code-samples.ts'
import { codeSamples } from './code-samples.ts'

/** The folder in a folder of artifacts with what the reference page loads; it is built, and not committed. */
export const referenceFolder = 'reference'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const decompressGzip = promisify(gunzip)

/** Builds what the reference page loads, from the `openapi.json` of a folder of artifacts. */
export async function buildReference(folder: string): Promise<void> {
  await buildCodeSamples(folder)
  await buildScript(folder)
}

/** Writes the code samples of the description in a folder of artifacts. */
export async function buildCodeSamples(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'openapi.json'), 'utf8')
  const description: JsonObject = JSON.parse(text)
  const file: CodeSamplesFile = {
    description: digestOf(description),
    samples: codeSamples(readBundled(description)),
  }
  await writeReferenceFile(folder, 'code-samples.json', JSON.stringify(file))
}

/** Writes the compressed script of the reference page, unless it is there. */
async function buildScript(folder: string): Promise<void> {
  const script = await readScript()
  if (await isWritten(folder, script)) {
    return
  }
  // It takes 5 s, once for each version of the package. The next level takes 10 s, and saves 2 % of the bytes.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 10,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  }
  const [br, zipped] = await Promise.all([
    compressBrotli(script, { params }),
    compressGzip(script, { level: constants.Z_BEST_COMPRESSION }),
  ])
  await writeReferenceFile(folder, 'scalar.js.br', br)
  await writeReferenceFile(folder, 'scalar.js.gz', zipped)
}

async function isWritten(folder: string, script: string): Promise<boolean> {
  const path = join(folder, referenceFolder, 'scalar.js.gz')
  const written = await readFile(path).catch(() => undefined)
  return written !== undefined && (await decompressGzip(written)).toString() === script
}

/** Returns Scalar as one script. The package that holds it alone serves it in an application of Fastify. */
async function readScript(): Promise<string> {
  // Loaded here, because the script is 5 MB long and may be built.
  const [{ default: fastify }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  await using application = fastify()
  await application.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } })
  const response = await application.inject('/js/scalar.js')
  return withoutNotices(response.body)
}

/** Returns the script without its message on the console, and without the address of a map that is not served. */
function withoutNotices(script: string): string {
  return script
    .replace(/console\.info\(`@scalar\/api-reference@[^`]*`\)/, 'undefined')
    .replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n')
}

/** Writes a file of which a process that reads meanwhile sees the old content or the new one. */
async function writeReferenceFile(
  folder: string,
  name: string,
  content: string | Buffer,
): Promise<void> {
  const path = join(folder, referenceFolder, name)
  await mkdir(join(folder, referenceFolder), { recursive: true })
  await writeFile(`${path}.${process.pid}.tmp`, content)
  await rename(`${path}.${process.pid}.tmp`, path)
}
