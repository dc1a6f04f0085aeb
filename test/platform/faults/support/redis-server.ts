import type { TestContext } from 'vitest'
import { findFreePort } from '../../../helpers/free-port.ts'
import { needCommand, type Program, startCommand } from '../../../helpers/program.ts'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'

/** Prepares a Redis or Valkey on a free port, which the test starts; skips the test without one. */
export async function createRedisServer(context: Pick<TestContext, 'skip'>) {
  const command = needCommand(context, 'redis-server', 'valkey-server')
  const port = await findFreePort()
  const folder = createTemporaryFolder()
  let running: Program | undefined
  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const own = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '']
      running = startCommand(command, own)
      await running.waitForOutput(/ready to accept connections/i)
    },
    kill: () => running?.kill('SIGKILL'),
  }
}
