import { createHash } from 'node:crypto'

/** A change, as Stryker shows it to what checks changes before tests are run. */
interface Change {
  readonly id: string
  readonly fileName: string
  readonly location: unknown
  readonly replacement: string
}

/** How much of all is drawn: a number from 0 to 1, and a word that gives the same ones again. */
interface Draw {
  readonly MUTATED_SHARE?: string
  readonly MUTATED_SEED?: string
}

/** Whether a change is drawn; about as many of all are as the share says. */
export function isDrawn(
  { fileName, location, replacement }: Omit<Change, 'id'>,
  { MUTATED_SHARE: share = '1', MUTATED_SEED: seed = '1' }: Draw,
): boolean {
  const file = fileName.slice(fileName.lastIndexOf('/server/'))
  const name = JSON.stringify([seed, file, location, replacement])
  return createHash('sha256').update(name).digest().readUInt32BE() < Number(share) * 2 ** 32
}

const notDrawn = { status: 'compileError', reason: 'not drawn' }

function createDraw() {
  return {
    init: async () => undefined,
    check: async (changes: readonly Change[]) =>
      Object.fromEntries(
        changes.map((change) => [
          change.id,
          isDrawn(change, process.env) ? { status: 'passed' } : notDrawn,
        ]),
      ),
  }
}

/**
 * What Stryker loads: to it, a change that is not drawn is one that cannot be compiled, and those have
 * no part in the score.
 */
export const strykerPlugins = [{ kind: 'Checker', name: 'draw', factory: createDraw }]
