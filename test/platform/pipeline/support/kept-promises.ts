import { type Edit, remove, set, together } from './spec-edit.ts'

const parameters = 'components parameters'
const schemas = 'components schemas'
const name = `${schemas} ToolFields properties name`

/** A schema in a file of its own. */
export const toolName = 'type: string\nminLength: 1\nexamples: [Ryoba]\n'

/** Moves a shared parameter to the one operation that refers to it. */
export function inlineParameter(parameter: string, path: string): Edit {
  return (description) => {
    const shared = description.getIn(`${parameters} ${parameter}`.split(' '))
    set(path, shared)(description)
    remove(`${parameters} ${parameter}`)(description)
  }
}

/** An edit that keeps every promise; each part of it was reported once. */
export const kept: Edit = together(
  // The example is in the other file.
  set(`${schemas} ToolName`, { $ref: 'tool-name.yaml' }),
  set(name, { $ref: '#/components/schemas/ToolName' }),
  inlineParameter('Limit', 'paths /tools get parameters 0'),
  set('paths /tools get parameters 9', {
    name: 'near',
    in: 'query',
    description: 'A place.',
    content: { 'application/json': { schema: { type: 'object' }, example: {} } },
  }),
  set(`${schemas} Tools maxItems`, 100),
  set('components headers Link schema type', ['string', 'null']),
  set('components headers Link schema pattern', '^<[^>]+>(?:; [a-z]+="[^"]+")*$'),
  set('components headers Link schema maxLength', 1000),
)
