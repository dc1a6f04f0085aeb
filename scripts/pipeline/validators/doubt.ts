/** Thrown where a schema may mean more to express-openapi-validator than what is compiled here. */
export class Doubt extends Error {
  override readonly name = 'Doubt'
}

/** What is made of a part of a description; undefined where there is doubt. */
export function unlessInDoubt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof Doubt) return undefined
    throw error
  }
}
