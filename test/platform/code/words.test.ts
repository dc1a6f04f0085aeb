import { expect, test } from 'vitest'
import { listPlatformFiles } from '../../../scripts/platform/ownership.ts'
import { findWords } from '../../helpers/words.ts'

/** Words that have no meaning of their own in the field, by the field's term. */
const words = {
  'response, or: responds': 'answer(?:s|ed|ing)?|reply|replies|replied',
  'reject, ApiError': '(?<!connection )refus(?:e|es|ed|al|als|ing)',
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

/** Files that quote the words, or where another program has them. */
const excluded = ['docs/adr/0018-words.md', 'server/security/redis-rate-limiter.ts']

test('names and texts of the platform use the words of the field', async () => {
  const isExcluded = (file: string) =>
    excluded.includes(file) || file.includes('generated/') || file.endsWith('code/words.test.ts')
  const files = (await listPlatformFiles()).filter((file) => !isExcluded(file))
  const found = findWords(Object.values(words).join('|'), files)
  expect(found, JSON.stringify(words, undefined, 2)).toEqual([])
})
