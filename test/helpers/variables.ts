import { readConfig } from '../../server/config.ts'

/** The environment variables that the service reads, in the order in which it does. */
export const variables: readonly string[] = listVariables()

function listVariables(): string[] {
  const read: string[] = []
  readConfig(
    new Proxy<Record<string, string>>(
      {},
      {
        get(_, name) {
          read.push(String(name))
          return undefined
        },
      },
    ),
  )
  return read
}
