import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../../../helpers/client-package/consumer.ts'
import { startFixtureService } from '../../../../helpers/fixture-service.ts'

/** What `writeProgram` makes a program print. */
export const printed = '1 Ryoba\ntrue ToolLibraryError not_found 404\n'

/** Starts a service, and writes a program on it that uses the package; returns its module. */
export async function writeProgram(folder: string, environment = {}): Promise<string> {
  const { baseUrl, apiKey } = await startFixtureService(environment)
  const service = JSON.stringify({ baseUrl, apiKey })
  const program = `import { createPacer, createToolLibrary, ToolLibraryError } from 'tool-library-client'

const library = createToolLibrary({ ...${service}, pacer: createPacer() })
const saw = await library.createTool({ kind: 'saw', name: 'Ryoba' })
for await (const { name } of library.listTools({ limit: 1 })) console.log(saw.id, name)
await library.getTool(42).catch((error) => {
  console.log(error instanceof ToolLibraryError, error.name, error.code, error.status)
})
`
  await writeFile(join(folder, 'program.js'), program)
  return './program.js'
}

/** Runs a program on a version of Node.js, after `require` of the package; returns what it prints. */
export async function runOnNode(node: string, folder: string): Promise<string> {
  const module = await writeProgram(folder)
  // A warning fails the program.
  const runner = `process.on('warning', (warning) => { throw warning })
    require('tool-library-client').createPacer()
    void import('${module}')`
  await writeFile(join(folder, 'runner.cjs'), runner)
  return run(node, ['--throw-deprecation', 'runner.cjs'], folder)
}

/** Runs mock handlers in CommonJS with a version of Node.js; returns what it prints. */
export async function runMock(node: string, folder: string): Promise<string> {
  const program = `const { createMockHandlers } = require('tool-library-client/testing')
    const { setupServer } = require('msw/node')
    const server = setupServer(...createMockHandlers('https://host.example/v2'))
    server.listen()
    fetch('https://host.example/v2/tools').then(({ status }) => console.log(status))`
  await writeFile(join(folder, 'mock.cjs'), program)
  return run(node, ['mock.cjs'], folder)
}
