import { expect, test } from 'vitest'
import { findWords } from '../../helpers/words.ts'

const files = [
  ...['server/api', 'test/api', 'docs', 'spec', 'client', 'README.md', 'CHANGELOG.md'],
  ...[':(exclude)test/api/docs/words.test.ts', ':(exclude)docs/adr/0018-words.md'],
]

test('names and texts say pet; Animal Store is the name of the product', () => {
  expect(findWords('animals?(?![ _-]?store)', files)).toEqual([])
})

test('the texts of the API use the words of the field', () => {
  const words = 'answer(?:s|ed|ing)?|reply|replies|replied|refus(?:e|es|ed|al|als|ing)|whoever'
  expect(findWords(words, files)).toEqual([])
})
