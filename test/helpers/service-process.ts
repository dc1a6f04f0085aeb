import { type Program, startProgram } from './program.ts'

/** The service as a process of its own. */
export interface ServiceProcess {
  readonly program: Program
  readonly origin: string
  /** Milliseconds from its start until it said where it listens. */
  readonly startedIn: number
  /** The key that it gives the newcomer to a fresh store. */
  readonly firstKey: () => Promise<string>
}

/** Starts the service on a database file; the environment may say more. */
export async function startServiceProcess(
  databaseFile: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const from = performance.now()
  const env = { PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: `sqlite:${databaseFile}` }
  const program = startProgram('server/main.ts', [], { env: { ...env, ...environment } })
  const [, origin = ''] = await program.says(/(http:\S+)\/v\d+\n/)
  const startedIn = performance.now() - from
  const firstKey = async (): Promise<string> => (await program.says(/ask_\w{36}/))[0]
  return { program, origin, startedIn, firstKey }
}
