import { join } from 'node:path'
import { type Program, startProgram } from '../../../helpers/program.ts'

/** A request to the service; its path stands under the base path of the contract. */
export interface Ask {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly isAnonymous?: true
  readonly headers?: Readonly<Record<string, string>>
}

export function get(path: string): Ask {
  return { method: 'GET', path }
}

/** Adds an animal with these fields, beside the required ones. */
export function post(fields: object): Ask {
  return { method: 'POST', path: '/pets', body: { name: 'Rex', categoryId: 7, ...fields } }
}

/** Runs `npm start` in a copy, without npm, with a store that is gone at the end. */
export function runServiceIn(copy: string): Program {
  const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' }
  return startProgram(join(copy, 'server/main.ts'), [], { cwd: copy, env })
}

/** Starts the service of a copy; gives what answers a request with a status. */
export async function startServiceIn(copy: string) {
  const program = runServiceIn(copy)
  const [baseUrl] = await program.says(/http:\/\/\S+/)
  const [key] = await program.says(/ask_\w{36}/)

  async function answer({ method, path, body, isAnonymous, ...asked }: Ask): Promise<number> {
    const headers = {
      ...asked.headers,
      ...(isAnonymous ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    }
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    return (await fetch(baseUrl + path, { method, headers, ...content })).status
  }

  return { answer }
}
