import type { BrokenPromise } from './broken-promises.ts'
import { atKey, atValue, remove, rename, set } from './spec-edit.ts'

const post = 'paths /tools post'
const answers = 'components responses'
const missing = `${answers} NotFound`
const missingJson = `${missing} content application/json`
const schemas = 'components schemas'
const headers = 'components headers'
const limit = 'components parameters Limit'

/** Edits that break what the linter promises of schemas and media types. */
export const schemasAndMediaTypes: BrokenPromise[] = [
  [
    'service/error-schema',
    set(`${missingJson} schema`, { type: 'object' }),
    atKey(`${missingJson} schema`),
  ],
  ['service/error-schema', remove(`${missing} content`), atKey(missing)],
  [
    'service/open-base',
    set(`${schemas} ToolFields additionalProperties`, false),
    atKey(`${schemas} ToolFields additionalProperties`),
  ],
  [
    'service/open-base',
    rename(`${schemas} NewDrill unevaluatedProperties`, 'additionalProperties'),
    atKey(`${schemas} NewDrill additionalProperties`),
  ],
  [
    'service/default-valid',
    set(`${limit} schema default`, 101),
    atValue(`${limit} schema default`),
  ],
  [
    'service/known-format',
    set(`${schemas} ToolFields properties name format`, 'zip-code'),
    atValue(`${schemas} ToolFields properties name format`),
  ],
  [
    'service/known-format',
    set(`${schemas} ToolFields properties name format`, 'password'),
    atValue(`${schemas} ToolFields properties name format`),
  ],
  ['rule/safe-integer-bounds', remove(`${schemas} Id maximum`), atKey(`${schemas} Id`)],
  [
    'rule/safe-integer-range',
    set(`${schemas} Id maximum`, 2 ** 53),
    atValue(`${schemas} Id maximum`),
  ],
  [
    'rule/media-type-name',
    rename(`${post} requestBody content application/json`, 'json'),
    atKey(`${post} requestBody content json`),
    /^rule\/body-media-type$/,
  ],
  [
    'rule/error-media-type',
    rename(missingJson, 'application/problem+json'),
    atKey(`${missing} content application/problem+json`),
  ],
]

/** Edits that break what the linter promises of examples. */
export const examples: BrokenPromise[] = [
  [
    'service/component-schema-example',
    remove(`${schemas} Status examples`),
    atKey(`${schemas} Status`),
  ],
  ['rule/media-type-example', remove(`${missingJson} examples`), atKey(missingJson)],
  ['rule/parameter-example', remove(`${limit} example`), atKey(limit)],
  ['rule/header-example', remove(`${headers} Allow example`), atKey(`${headers} Allow`)],
  [
    'no-invalid-schema-examples',
    set(`${schemas} Status examples 0`, 'a'),
    atValue(`${schemas} Status examples 0`),
  ],
  [
    'no-invalid-media-type-examples',
    set(`${missingJson} examples notFound value status`, 405),
    atValue(`${missingJson} examples notFound value status`),
  ],
  ['no-invalid-parameter-examples', set(`${limit} example`, 101), atValue(`${limit} example`)],
  [
    'service/header-example-valid',
    set(`${headers} Cache-Control example`, 'a'),
    atValue(`${headers} Cache-Control example`),
  ],
]
