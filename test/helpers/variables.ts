import { readConfig } from '../../server/config.ts'

/** The environment variables that the service reads, in the order in which it does. */
export const variables: string[] = []

readConfig(
  new Proxy<Record<string, string>>({}, { get: (_, name) => void variables.push(String(name)) }),
)
