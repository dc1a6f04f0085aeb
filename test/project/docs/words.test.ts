import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { project } from '../../helpers/program.ts'

/** Words that have no meaning of their own in the field, by the field's term. */
const words = {
  'response, or: responds': 'answer(?:s|ed|ing)?|reply|replies|replied',
  'reject, ApiError': '(?<!connection )refus(?:e|es|ed|al|als|ing)',
  // Animal Store is the name of the product.
  pet: 'animals?(?![ _-]?store)',
  fix: 'mend(?:s|ed|ing)?',
  unsupported: 'doubt(?:s|ful)?',
  'rate limiter, API key cache, credentials': 'tall(?:y|ies)|keyring|applicant',
  timeout: 'patien(?:ce|t)',
  mock: 'stand-?ins?',
  'load shedding': 'lookout|lateness|turned.?away',
  'client, caller, process, no one': '(?<!user=)(?:no|some|every|any)(?-i:body)|whoever',
  'continues, unchanged': 'goes on|stands still|begun anew|as it stands',
  'skipped, omitted': 'left out',
}
const pattern = `(?:\\b|_|(?<=[a-z])(?=[A-Z]))(?i:${Object.values(words).join('|')})(?:\\b|_|(?=[A-Z]))`

// Files that are not written by hand, or quote the words.
const files = [
  ...['**/generated/**', 'package-lock.json', 'LICENSE', 'docs/adr/0018-words.md'],
  ...['test/project/docs/words.test.ts', 'test/platform/init/own-project.ts'],
  ...['bench/peers/fastify.ts', 'server/security/redis-rate-limiter.ts'],
].map((file) => `:(exclude,glob)${file}`)

const git = (...args: string[]) => spawnSync('git', args, { cwd: project, encoding: 'utf8' })

test('names and texts use the words of the field', () => {
  const { status, stdout } = git('grep', '-InP', pattern, '--', ...files)
  expect({ status, stdout }, JSON.stringify(words, null, 2)).toEqual({ status: 1, stdout: '' })
  const names = git('ls-files', '--', ...files).stdout.split('\n')
  expect(names.length).toBeGreaterThan(300)
  expect(names.filter((name) => new RegExp(pattern).test(name))).toEqual([])
})
