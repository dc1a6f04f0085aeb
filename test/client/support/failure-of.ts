import { AnimalStoreError } from '../../../client/index.ts'

/** The error that a call ends with; whatever else happens is thrown. */
export async function failureOf(call: PromiseLike<unknown>): Promise<AnimalStoreError> {
  try {
    await call
  } catch (error) {
    if (error instanceof AnimalStoreError) return error
    throw error
  }
  throw new Error('The call succeeded.')
}
