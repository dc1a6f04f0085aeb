import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'

/** Draws files of the service at random, the same for the same seed. */
export function drawFiles({ MUTATED_FILES = '20', MUTATED_SEED = '1' }: NodeJS.ProcessEnv) {
  const rankOf = (file: string) =>
    createHash('sha256').update(`${MUTATED_SEED} ${file}`).digest('hex')
  return globSync('server/**/*.ts')
    .map((file) => ({ file, rank: rankOf(file) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, Number(MUTATED_FILES))
    .map(({ file }) => file)
}
