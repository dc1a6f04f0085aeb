import { type Edit, remove, set } from '../../pipeline/support/spec-edit.ts'
import type { SeededFault } from './seeded-fault.ts'

const name = 'components schemas PetFields properties name'
const limit = 'components parameters Limit schema'
const body = 'paths /pets post requestBody'

/** The service works by a description that is not the one that callers read. */
export const loosened: readonly SeededFault<Edit>[] = [
  ['a name may be longer', remove(`${name} maxLength`), 'body: maxLength', 'outcome'],
  ['a name may be empty', remove(`${name} minLength`), 'body: minLength', 'outcome'],
  ['a name may have any character', remove(`${name} pattern`), 'body: pattern', 'outcome'],
  ['a name must be shorter', set(`${name} maxLength`, 999), 'accepted: maxLength', 'outcome'],
  ['a name must be longer', set(`${name} minLength`, 2), 'accepted: minLength', 'outcome'],
  ['a page may be larger', remove(`${limit} maximum`), 'query: maximum', 'outcome'],
  ['a page may be empty', set(`${limit} minimum`, 0), 'query: minimum', 'outcome'],
  ['a page must be smaller', set(`${limit} maximum`, 99), 'accepted: maximum', 'outcome'],
  ['any status will do', remove('components schemas PetStatus enum'), 'query: enum', 'outcome'],
  [
    'a status is not known',
    remove('components schemas PetStatus enum 2'),
    'accepted: enum',
    'outcome',
  ],
  ['an id may be smaller', remove('components schemas Id minimum'), 'path: minimum', 'outcome'],
  ['an id must not be negative', set('components schemas Id minimum', 0), 'accepted', 'outcome'],
  [
    'an animal may have other fields',
    remove('components schemas NewPet unevaluatedProperties'),
    'body: unknown field',
    'outcome',
  ],
  [
    'a category may be left out',
    remove('components schemas PetFields required 1'),
    'body: required',
    'outcome',
  ],
  [
    'a category may be a text',
    set('components schemas PetFields properties categoryId', {}),
    'body: type',
    'outcome',
  ],
  [
    'a status must be sent',
    set('components schemas PetFields required 2', 'status'),
    'accepted: required',
    'outcome',
  ],
  [
    'a list is for everybody',
    set('paths /pets get security', []),
    'credential: missing',
    'outcome',
  ],
  ['a body may be larger', set(`${body} x-max-bytes`, 200_000), 'body: too large', 'outcome'],
  [
    'text is taken for JSON',
    set(`${body} content text/plain`, { schema: {} }),
    'body: media type',
    'outcome',
  ],
  ['a body may be missing', set(`${body} required`, false), 'body: missing', 'outcome'],
  [
    'an Idempotency-Key may be anything',
    set('components parameters IdempotencyKey schema', { type: 'string' }),
    'header: maxLength',
    'outcome',
  ],
  ['a method is gone', remove('paths /pets post'), 'accepted', 'outcome'],
]
