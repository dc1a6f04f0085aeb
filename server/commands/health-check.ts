import { settings } from '../../generated/operations.ts'
import { readConfig } from '../config.ts'
import { pagePrefixOf } from '../description/platform-paths.ts'
import { livePath } from '../ops/health.ts'

// The health check of the image: exits with status 1 if the process of the service should be replaced.
const { opsPort, port } = readConfig(process.env)
// The server for operators responds where callers have taken all connections. It has no prefix.
const target = opsPort === 'off' ? `${port}${pagePrefixOf(settings)}` : String(opsPort)
const isAlive = await fetch(`http://127.0.0.1:${target}${livePath}`).then(
  ({ ok }) => ok,
  () => false,
)
process.exitCode = isAlive ? 0 : 1
