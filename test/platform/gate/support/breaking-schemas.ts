import { remove, rename, set } from '../../pipeline/support/spec-edit.ts'
import { append, drop } from './lists.ts'
import type { Row } from './row.ts'

const fields = 'components schemas ToolFields'
const name = `${fields} properties name`
const limit = 'components parameters Limit schema'

/** Edits of schemas that break consumers. */
export const breakingSchemas: readonly Row[] = [
  [
    'a value of an enum is removed',
    drop('components schemas Status enum', 'sold'),
    'components.schemas.Status',
    'no longer allows `sold`',
  ],
  [
    'a value is added to an enum of answers',
    append('components schemas Status enum', 'lost'),
    'components.schemas.Status',
    'now also allows `lost`',
  ],
  [
    'a body member may be shorter only',
    set(`${name} maxLength`, 500),
    'components.schemas.ToolFields',
    '`maxLength` of `name` of `ToolFields` is now `500`',
  ],
  [
    'an answer member may be longer',
    set(`${name} maxLength`, 2000),
    'components.schemas.ToolFields',
    '`maxLength` of `name` of `ToolFields` is now `2000`',
  ],
  [
    'a pattern is another',
    set(`${name} pattern`, '^[A-Z][a-z]*$'),
    'components.schemas.ToolFields',
    '`pattern` of `name`',
  ],
  [
    'a parameter is limited more',
    set(`${limit} maximum`, 20),
    'components.parameters.Limit',
    '`maximum` of the query parameter `limit` is now `20`',
  ],
  [
    'the least value of a parameter rises',
    set(`${limit} minimum`, 2),
    'components.parameters.Limit',
    '`minimum` of the query parameter `limit` is now `2`',
  ],
  [
    'the default of a parameter is another',
    set(`${limit} default`, 30),
    'components.parameters.Limit',
    'The default of the query parameter `limit` is now `30`',
  ],
  [
    'a parameter has a default for the first time',
    set('components parameters Status schema default', 'available'),
    'components.parameters.Status',
    'The default of the query parameter `status` is now `available`',
  ],
  [
    'a body may be smaller only',
    set('paths /tools post requestBody x-max-bytes', 5000),
    'POST /tools',
    'The largest size of the body, in bytes, is now `5000`',
  ],
  [
    'a member becomes required',
    append(`${fields} required`, 'status'),
    'components.schemas.ToolFields',
    '`ToolFields` now requires `status`',
  ],
  [
    'a required member becomes optional',
    drop(`${fields} required`, 'name'),
    'components.schemas.ToolFields',
    '`ToolFields` no longer requires `name`',
  ],
  [
    'a member is removed',
    remove(`${fields} properties status`),
    'components.schemas.ToolFields',
    '`status` of `ToolFields` was removed',
  ],
  [
    'a member has another name',
    rename(`${fields} properties status`, 'state'),
    'components.schemas.ToolFields',
    '`status` of `ToolFields` was removed',
  ],
  [
    'a member has another type',
    set(`${name} type`, 'integer'),
    'components.schemas.ToolFields',
    '`type` of `name` of `ToolFields` is now `integer`',
  ],
  [
    'a format is another',
    set('components schemas Id format', 'int32'),
    'components.schemas.Id',
    '`format` of `Id` is now `int32`',
  ],
]
