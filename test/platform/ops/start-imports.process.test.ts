import { expect, test } from 'vitest'
import { startServiceProcess } from '../../helpers/service-process.ts'

/** Loaded before the service, and before its thread for operators: prints which modules import `node:http`. */
const printImports = `
  import { writeSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve(specifier, context, next) {
      if (/^(node:)?http$/.test(specifier) && context.conditions.includes('import')) {
        writeSync(1, 'http is imported by ' + context.parentURL + '\\n')
      }
      return next(specifier, context)
    },
  })`

test('no module that the service starts with imports node:http, which would load all of fetch', async () => {
  const preload = `data:text/javascript,${encodeURIComponent(printImports)}`
  const environment = { OPS_PORT: '0', NODE_OPTIONS: `--import ${preload}` }
  const { program } = await startServiceProcess(environment)
  await program.waitForOutput(/metrics are at +(\S+)\n/)
  expect(program.outputSoFar()).not.toMatch(/http is imported by/)
})
