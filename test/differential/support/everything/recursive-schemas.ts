import { integer, object, ref, text } from './schema-words.ts'

/** Schemas that are part of themselves. */
export const recursive = {
  Tree: object({ value: integer, left: ref('Tree'), right: ref('Tree') }, { required: ['value'] }),
  Nested: { anyOf: [text, { type: 'array', items: ref('Nested') }] },
  // Whatever comes first, one of them has been begun when it is found to be in doubt.
  Doubtful: object({ friend: ref('Trusting'), doubt: { not: { type: 'string' } } }),
  Trusting: object({ friend: ref('Doubtful'), a: text }),
  // The first is printed within itself, under another name.
  Chain: object({ next: ref('ChainLink'), a: text }),
  ChainLink: ref('Chain'),
  LoopThroughAllOf: object({ next: ref('LoopPart'), a: text }),
  LoopPart: { allOf: [ref('LoopThroughAllOf')] },
}
