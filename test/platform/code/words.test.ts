import { expect, test } from 'vitest'
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

/** The folders of the platform, without what is the API's, is not written by hand or quotes the words. */
const files = [
  ...[
    'server',
    'client',
    'scripts',
    'test',
    'docs',
    'deploy',
    '.github',
    ':(glob)*.ts',
    ':(glob)*.md',
  ],
  ...[
    ...['**/generated/**', 'server/api/**', 'test/api/**', 'docs/api/**', 'docs/adr/0018-words.md'],
    ...['client/index.ts', 'client/README.md', 'README.md', 'CHANGELOG.md', 'LICENSE'],
    ...['test/platform/code/words.test.ts', 'server/security/redis-rate-limiter.ts'],
  ].map((file) => `:(exclude,glob)${file}`),
]

test('names and texts use the words of the field', () => {
  const found = findWords(Object.values(words).join('|'), files)
  expect(found, JSON.stringify(words, undefined, 2)).toEqual([])
})
