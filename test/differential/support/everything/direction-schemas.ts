import { object, ref, text } from './schema-words.ts'

/** Schemas that mean one thing in requests and another in answers. */
export const directions = {
  ReadOnly: object(
    { id: { type: 'integer', readOnly: true }, name: text },
    { required: ['id', 'name'], additionalProperties: false },
  ),
  WriteOnly: object(
    { secret: { type: 'string', writeOnly: true }, name: text },
    { required: ['secret'] },
  ),
  Identity: { type: 'integer', readOnly: true },
  ReadOnlyBehind: object({ id: ref('Identity'), name: text }, { required: ['id'] }),
  ReadOnlyBeside: object(
    { id: { ...ref('Count'), readOnly: true }, name: text },
    { required: ['id'] },
  ),
  ReadOnlyDefault: object({ id: { type: 'integer', readOnly: true, default: 1 }, name: text }),
  ReadOnlyWithin: { allOf: [ref('ReadOnly')], properties: { more: text } },
  ReadOnlyInList: { type: 'array', items: ref('ReadOnly') },
}
