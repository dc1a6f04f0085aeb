import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import { findFreePort, listen } from '../../helpers/free-port.ts'
import { project, startCommand } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

export const balancerFile = join(project, 'deploy/haproxy.cfg')

/**
 * Starts HAProxy as it is deployed, but for where it listens, how many callers it takes and whom it
 * finds: the instances, by the names i0, i1 and so on. Resolves once it responds; `waitForOutput` waits
 * for a line about their state.
 */
export async function startBalancer(instances: readonly string[], callers = 4_000) {
  const port = await findFreePort()
  const servers = instances.map((origin, index) => `server i${index} ${new URL(origin).host}`)
  const text = readFileSync(balancerFile, 'utf8')
  const local = text
    .replace(/^( *)bind :8080$/m, `$1bind 127.0.0.1:${port}`)
    .replace(/^( *maxconn) 4000$/m, `$1 ${callers}`)
    .replaceAll(/^( *)server-template .*$/gm, servers.map((server) => `$1${server}`).join('\n'))
  const file = join(createTemporaryFolder(), 'haproxy.cfg')
  writeFileSync(file, local)
  const { waitForOutput, ended } = startCommand('haproxy', ['-db', '-f', file])
  const origin = `http://127.0.0.1:${port}`
  const end = ended.then((end) => Promise.reject(new Error(JSON.stringify(end))))
  const livez = () => fetch(`${origin}/livez`).then(({ status }) => status, String)
  await Promise.race([expect.poll(livez).toBe(200), end])
  return { origin, waitForOutput }
}

/**
 * Starts an instance that lives, is as ready as a status says, and leaves every other request to the
 * test; resolves with its origin.
 */
export async function startInstance(respond: RequestListener, readyStatus = 200): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/livez') response.end()
    else if (request.url === '/readyz') response.writeHead(readyStatus).end()
    else respond(request, response)
  })
  return `http://127.0.0.1:${await listen(server)}`
}
