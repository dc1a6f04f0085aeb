import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Compilation,
  checkTypes,
  everywhere,
  inCommonJs,
  onNode,
} from '../../../../helpers/client-package/type-check.ts'
import { project } from '../../../../helpers/program.ts'

const commonJs = `import { createToolLibrary, type Page } from 'tool-library-client'
const library = createToolLibrary({ baseUrl: 'https://host.example/v2', apiKey: 'lib_key' })
export const list: PromiseLike<Page<{ id: number }, unknown>> = library.listTools()
`

const mockInCommonJs = `import { createMockHandlers } from 'tool-library-client/testing'
import { setupServer } from 'msw/node'
const listTools = { status: 429, example: 'banned' } as const
export const server = setupServer(...createMockHandlers('https://host.example/v2', { listTools }))
`

const everyVersion: readonly Compilation[] = everywhere.map((options) => [
  options,
  ['client.test-d.ts'],
])

const withTools: readonly Compilation[] = [
  ...everyVersion,
  [
    onNode,
    [
      ...['client.test-d.ts', 'mock-handlers.test-d.ts', 'react-query.test-d.ts'],
      ...['commonjs.cts', 'mock-handlers.cts'],
    ],
  ],
]

const mocksInCommonJs: readonly Compilation[] = inCommonJs.map((options) => [
  options,
  ['mock-handlers.cts'],
])

const compilations = { everyVersion, withTools, mocksInCommonJs }

/**
 * Type-checks programs that use the package in a folder: with every version of TypeScript, with those
 * that understand the types of our Node.js, of MSW and of React, or as CommonJS with MSW.
 */
export async function checkPackageTypes(
  folder: string,
  compiler: string,
  which: keyof typeof compilations,
): Promise<void> {
  const files: Record<string, string> = {
    'commonjs.cts': commonJs,
    'mock-handlers.cts': mockInCommonJs,
  }
  const tests = ['client.test-d.ts', 'mock-handlers.test-d.ts', 'react-query.test-d.ts']
  files['equal.ts'] = await readFile(join(project, 'test/helpers/equal.ts'), 'utf8')
  for (const name of tests) {
    const text = await readFile(join(project, 'test/platform/types', name), 'utf8')
    files[name] = text
      .replace("'../../helpers/equal.ts'", "'./equal.ts'")
      .replace("'../../fixture-api/client.ts'", "'tool-library-client'")
      .replace("'../../fixture-api/react-query.ts'", "'tool-library-client/react-query'")
      .replace("'../../fixture-api/testing.ts'", "'tool-library-client/testing'")
  }
  await checkTypes(folder, compiler, files, compilations[which])
}
