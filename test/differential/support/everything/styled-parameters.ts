import { cookie, header, list, object, type ParameterSet, path, query } from './parameter-words.ts'
import { ref } from './schema-words.ts'

/** Parameters in all places and styles, a few to an operation. */
export const styledParameters: Readonly<Record<string, ParameterSet>> = {
  Lists: {
    rows: [
      query('list', list),
      query('commas', list, { explode: false }),
      query('pipes', list, { style: 'pipeDelimited', explode: false }),
      query('texts', { type: 'array', items: { type: 'string' }, maxItems: 2 }),
      query('one', { type: 'string' }),
    ],
  },
  Objects: {
    rows: [
      query('filter', object, { style: 'deepObject', explode: true }),
      query('one', { type: 'string' }),
    ],
  },
  ExplodedObject: { rows: [query('object', object), query('limit', { type: 'integer' })] },
  FlatObject: { rows: [query('object', object, { style: 'form', explode: false })] },
  Content: {
    rows: [
      { name: 'near', in: 'query', content: { 'application/json': { schema: object } } },
      query('one', { type: 'string' }),
    ],
  },
  Required: {
    rows: [
      query('must', { type: 'string' }, { required: true }),
      query('mustCount', { type: 'integer', default: 1 }, { required: true }),
      header('X-Must', { type: 'string' }, { required: true }),
    ],
  },
  Headers: {
    rows: [
      header('X-Text', { type: 'string', maxLength: 5 }),
      header('x-count', { type: 'integer', minimum: 0 }),
      header('X-Flag', { type: 'boolean' }),
      header('X-List', list),
    ],
  },
  ReservedHeaders: {
    rows: [
      header('Content-Type', { type: 'string' }),
      header('Authorization', { type: 'string', maxLength: 12 }),
      header('Accept', { type: 'string' }),
    ],
  },
  Cookies: {
    rows: [
      cookie('bench', { type: 'integer', minimum: 1 }),
      cookie('word', { type: 'string' }),
      query('one', { type: 'string' }),
    ],
  },
  Names: {
    rows: [
      query('a-b', { type: 'string' }),
      query('1', { type: 'integer' }),
      query('a.b', { type: 'string' }),
      query('a b', { type: 'string' }),
    ],
  },
  BracketName: { rows: [query('filter[name]', { type: 'string' })] },
  PrototypeName: {
    rows: [query('constructor', { type: 'string' }), query('x', { type: 'string' })],
  },
  Path: {
    path: '/things/{id}/parts/{part}',
    rows: [path('id', { type: 'integer' }), path('part', { type: 'string', maxLength: 3 })],
  },
  DottedPath: {
    path: '/files/{name}.json',
    rows: [path('name', { type: 'string' })],
  },
  SharedSegment: {
    path: '/ranges/{from}-{to}',
    rows: [path('from', { type: 'string' }), path('to', { type: 'string' })],
  },
  DashedPath: { path: '/dashed/{tool-id}', rows: [path('tool-id', { type: 'string' })] },
  PathOfReference: { path: '/counts/{count}', rows: [path('count', ref('Count'))] },
  ListInPath: { path: '/lists/{list}', rows: [path('list', list)] },
}
