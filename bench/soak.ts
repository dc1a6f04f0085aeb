// A service under a long mix of good and hostile requests, with its store taken away now and then:
// node bench/soak.ts [REQUESTS, a million by default] [SEED]. Linux only.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../test/helpers/free-port.ts'
import { createRandom } from '../test/helpers/random.ts'
import { issueLargeKey } from './large-key.ts'
import { startLocalService } from './local-service.ts'
import { createAnswers } from './soak/answers.ts'
import { createLedger } from './soak/ledger.ts'
import { createMemoryProbe, type Memory } from './soak/memory.ts'
import { createMix } from './soak/mix.ts'
import { lockFor } from './soak/outage.ts'
import { createSender } from './soak/sender.ts'

const requests = Number(process.argv[2] ?? 1_000_000)
const seed = Number(process.argv[3] ?? 1)
const atOnce = 32
const tenths = 10
/** How often the store is locked by somebody else, and for how many milliseconds. */
const [outages, outage] = [5, 1_500]

const folder = mkdtempSync(join(tmpdir(), 'animal-store-soak-'))
const file = join(folder, 'store.sqlite')
const apiKey = await issueLargeKey(`sqlite:${file}`)
const port = await findFreePort()
const service = await startLocalService({
  ...{ DATABASE_URL: `sqlite:${file}`, RATE_LIMITS: 'on', TRUST_PROXY: '1' },
  ...{ NODE_ENV: 'production', OPS_PORT: '0', NODE_OPTIONS: `--inspect=127.0.0.1:${port}` },
})

const ledger = createLedger(apiKey, service.baseUrl)
const answers = createAnswers()
const random = createRandom(seed)
const { send, stop } = createSender(service.baseUrl, random)
const mix = createMix({ baseUrl: service.baseUrl, apiKey, ledger, random, send }, answers)
const probe = await createMemoryProbe(service.processId, port)
const memory: Memory[] = []
let sent = 0

async function caller(last: number): Promise<void> {
  while (sent < last) {
    sent++
    await mix.sendOne()
  }
}

console.log(`${requests} requests, ${atOnce} at once, seed ${seed}`)
const began = performance.now()
try {
  for (let tenth = 1; tenth <= tenths; tenth++) {
    const last = Math.round((requests * tenth) / tenths)
    const locking =
      tenth % 2 === 0 && tenth / 2 <= outages ? lockFor(file, outage, answers) : undefined
    await Promise.all(Array.from({ length: atOnce }, () => caller(last)))
    await locking
    const now = await probe.look()
    memory.push(now)
    const seconds = (performance.now() - began) / 1000
    console.log(
      `${tenth * 10} %, ${seconds.toFixed(0)} s, ${(sent / seconds).toFixed(0)} requests a second, ` +
        `${inWords(now)}, ${ledger.size()} animals acknowledged`,
    )
  }
  console.log(answers.table())
  const missing = await ledger.missing()
  const growth = (of: keyof Memory) =>
    ((memory.at(-1)?.[of] ?? 0) / (memory[0]?.[of] ?? 1) - 1) * 100
  const faults = [
    ...answers.faults(),
    // What is live may grow until the caches of keys and addresses have what they may hold.
    ...(growth('resident') > 10
      ? [`memory grew by ${growth('resident').toFixed(1)} % from the first tenth to the last`]
      : []),
    ...(missing.length > 0 ? [`${missing.length} animals are lost: ${missing.slice(0, 5)}`] : []),
  ]
  console.log(
    `memory: live ${growth('live').toFixed(1)} %, resident ${growth('resident').toFixed(1)} %; ` +
      `${ledger.size()} animals acknowledged, ${missing.length} missing`,
  )
  console.log(faults.length === 0 ? 'no fault' : faults.join('\n'))
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  probe.close()
  stop()
  await service.stop()
  rmSync(folder, { recursive: true })
}

function inWords({ live, resident }: Memory): string {
  return `${live.toFixed(0)} MiB live, ${resident.toFixed(0)} MiB resident`
}
