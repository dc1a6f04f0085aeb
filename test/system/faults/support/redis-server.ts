import type { TestContext } from 'vitest'
import { findFreePort } from '../../../helpers/free-port.ts'
import { findCommand, type Program, startCommand } from '../../../helpers/program.ts'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'

/** Finds a port, and a Redis or Valkey for it, which is not started yet; without one the test is skipped. */
export async function createRedisServer({ skip }: Pick<TestContext, 'skip'>) {
  const command = findCommand('redis-server', 'valkey-server')
  if (command === undefined) {
    return skip('there is no redis-server on the PATH; on Debian: apt-get install redis-server')
  }
  const port = await findFreePort()
  const folder = createTemporaryFolder()
  let running: Program | undefined
  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const own = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '']
      running = startCommand(command, own)
      await running.says(/ready to accept connections/i)
    },
    async signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') {
      const ended = running?.kill(signal)
      if (signal === 'SIGKILL') await ended
    },
  }
}
