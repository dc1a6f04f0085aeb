// How much a service still gets done when more is asked of it than it can do, and how long probes wait:
// node bench/overload.ts [SECONDS] [POSTGRES_URL], for an empty database.
// The load is made by another process. On Linux each has a core of its own, where there are two.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { issueLargeKey } from './large-key.ts'
import { startLocalService } from './local-service.ts'

const [seconds = '5', url] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'))

function isPinned(processId: number, core: number): boolean {
  if (availableParallelism() < 2) return false
  return spawnSync('taskset', ['-a', '-c', '-p', `${core}`, `${processId}`]).status === 0
}

try {
  for (const operation of ['list', 'create']) {
    const place = url ?? `sqlite:${join(folder, operation)}`
    const apiKey = await issueLargeKey(place)
    const service = await startLocalService({
      ...{ DATABASE_URL: place, NODE_ENV: 'production' },
      // All clients have one address, and a connection each; probes come beside them.
      ...{ MAX_CONNECTIONS: '5000', MAX_CONNECTIONS_PER_ADDRESS: '5000' },
    })
    const generator = fileURLToPath(new URL('./overload/generator.ts', import.meta.url))
    const { port } = new URL(service.baseUrl)
    const facts = [generator, operation, port, apiKey, `${service.processId}`, seconds]
    const command = [process.execPath, ...facts]
    const pinned = isPinned(service.processId, 0) ? ['taskset', '-c', '1', ...command] : command
    const [file = '', ...args] = pinned
    execFileSync(file, args, { stdio: 'inherit' })
    await service.stop()
  }
} finally {
  rmSync(folder, { recursive: true })
}
