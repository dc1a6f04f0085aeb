import { basePath } from '../../generated/operations.ts'
import { createApiKey } from '../auth/api-key.ts'
import { readConfig } from '../config.ts'
import { sampleCurl } from '../first-key.ts'
import { startMockService } from '../mock/mock-service.ts'
import { createLogFor } from '../ops/log.ts'
import { stopOnSignals } from '../ops/signals.ts'
import { explain } from '../plain-error.ts'

try {
  // It may well run beside the service, and there is nothing to operate.
  const config = readConfig({ ...process.env, OPS_PORT: process.env['OPS_PORT'] || 'off' })
  const log = await createLogFor(config.logLevel, process.stdout.isTTY)
  const { origin, stop } = await startMockService(config, log)
  stopOnSignals(stop)
  console.log(welcome(origin))
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

function welcome(origin: string): string {
  const key = createApiKey()
  return `A mock of the contract answers at ${origin}${basePath}
It keeps nothing, and takes any API key of the right form, such as this one:

  ${sampleCurl(origin, key) ?? key}

Prefer: code=404 or Prefer: example=NAME chooses the answer; a wrong one lists what there is.
`
}
