import { basePath } from '../../generated/operations.ts'
import { readConfig } from '../config.ts'
import { createLogFor } from '../ops/log.ts'
import { UsageError } from '../process/options.ts'
import { stopOnSignals } from '../process/signals.ts'
import { createApiKey } from '../security/api-key.ts'
import { runCommand } from './command.ts'
import { startMockService } from './mock-service.ts'
import { sampleCurl } from './sample-curl.ts'

const usage = `npm run mock

Responds to every operation of the contract with an example, without a store. PORT sets its port.`

await runCommand(usage, async (args) => {
  if (args.length > 0) {
    throw new UsageError('usage: npm run mock, without arguments; PORT sets its port')
  }
  // It may well run beside the service, and there is nothing to operate.
  const config = readConfig({ ...process.env, OPS_PORT: process.env['OPS_PORT'] || 'off' })
  const log = await createLogFor(config.logLevel, process.stdout.isTTY)
  const { origin, stop } = await startMockService(config, log)
  stopOnSignals(async () => {
    await stop()
    process.exit()
  })
  const key = createApiKey()
  console.log(`A mock of the contract listens at ${origin}${basePath}
It keeps nothing, and takes any API key of the right form, such as this one:

  ${sampleCurl(origin, key) ?? key}

Prefer: code=404 or Prefer: example=NAME chooses the response; a wrong one lists what there is.
`)
})
