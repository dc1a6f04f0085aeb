import type { Work } from './pool.ts'

/** Work that is done wholly or not at all. */
export function inTransaction<Result>(work: Work<Result>): Work<Result> {
  return async (client) => {
    await client.query('BEGIN')
    try {
      const result = await work(client)
      await client.query('COMMIT')
      return result
    } catch (error) {
      // Where the connection is lost, the server undoes it by itself.
      await client.query('ROLLBACK').catch(() => undefined)
      throw error
    }
  }
}
