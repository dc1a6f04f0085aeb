import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'rolldown'

/** Returns what an application of this source ships, minified, without packages that it has anyway. */
export async function bundle(
  folder: string,
  source: string,
  external: string[] = [],
): Promise<string> {
  const input = join(folder, 'application.js')
  await writeFile(input, source)
  const output = { minify: true, comments: false, codeSplitting: false } as const
  // The modules of React Query begin with the directive "use client".
  const checks = { moduleLevelDirective: false }
  const options = { input, cwd: folder, platform: 'browser', external, output, checks } as const
  const bundled = await build({ ...options, write: false })
  return bundled.output[0].code
}

/** Returns the bytes of what an application ships, as a server compresses it. */
export function gzipped(code: string): number {
  return gzipSync(code, { level: 9 }).length
}
