import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { createConsumer, readModule } from './consumer.ts'

/** A project that has the package and `consumer/page.ts`, without types. */
export async function createPage(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const [page, journey] = await Promise.all([readModule('page.ts'), readModule('journey.ts')])
  return createConsumer({ 'page.js': page, 'journey.js': journey, ...files })
}

/** That page as one script for browsers, which defines `page`. */
export async function bundlePage(): Promise<string> {
  const folder = await createPage()
  const input = join(folder, 'page.js')
  const bundle = await rolldown({ input, cwd: folder, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', name: 'page', minify: true })
  await bundle.close()
  return output[0].code
}
