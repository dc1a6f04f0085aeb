import { apiKeyMarker } from '../../server/names.ts'
import { startProgram } from './program.ts'

/** Starts the service as a process on a database file. */
export async function startServiceProcess(
  databaseFile: string,
  environment: Readonly<Record<string, string>> = {},
) {
  const env = { PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: `sqlite:${databaseFile}` }
  const program = startProgram('server/main.ts', [], { env: { ...env, ...environment } })
  const [, origin = ''] = await program.says(/(http:\S+)\/v\d+\n/)
  /** Returns the key that is printed for a fresh store. */
  const firstKey = async () => (await program.says(new RegExp(`${apiKeyMarker}\\w{36}`)))[0]
  return { program, origin, firstKey }
}

export type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>
