/** A kind of schema, with values that fit it, and others with the place that does not. */
export interface Kind {
  readonly what: string
  readonly schema: unknown
  readonly valid: readonly unknown[]
  readonly invalid: readonly (readonly [value: unknown, pointer: string])[]
}

export const ref = (pointer: string, beside: object = {}) => ({ $ref: `#/${pointer}`, ...beside })
export const objectOf = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  ...more,
})
/** An object whose members are required, and no others are allowed. */
export const closedOf = (properties: object) =>
  objectOf(properties, { required: Object.keys(properties), additionalProperties: false })

export const small = { type: 'integer', minimum: 1, maximum: 9 }
export const text = { type: 'string' }
const point = { type: 'array', prefixItems: [{ type: 'number' }, text], minItems: 2, items: false }
export const cents = { type: 'number', multipleOf: 0.01 }

/** Returns a union of schemas, of which a property chooses one. */
const chosenBy = (propertyName: string, forms: readonly string[], mapping?: object) => ({
  oneOf: forms.map((form) => ref(`components/schemas/${form}`)),
  discriminator: { propertyName, mapping },
})
/** A value that looks like a schema. */
const data = { $ref: 'nowhere', required: ['b'], properties: { b: { default: 1 } } }
/** Properties whose names are keywords, and that have such properties themselves. */
const names = Object.fromEntries(
  ['properties', 'required', 'allOf', 'enum', 'discriminator', 'not', '$ref', 'multipleOf'].map(
    (name) => [name, objectOf({ default: text, required: text })],
  ),
)

export const schemas = {
  Box: objectOf({ size: ref('components/schemas/Box/$defs/Size') }, { $defs: { Size: small } }),
  Unit: objectOf({ size: small, sizes: { type: 'array', items: small } }),
  Tree: objectOf({
    size: small,
    children: { type: 'array', items: ref('components/schemas/Tree/properties/node') },
    node: objectOf({ tree: ref('components/schemas/Tree') }),
  }),
  Either: { anyOf: [small, objectOf({ wide: small })] },
  Code: { type: 'string' },
  Anchored: objectOf({ size: { $anchor: 'size', ...small } }),
  Identified: {
    $id: 'https://example.com/identified.json',
    ...objectOf({ size: ref('components/schemas/Unit/properties/size') }),
  },
  Plain: closedOf({ form: { enum: ['plain'] }, text }),
  Rich: closedOf({ form: ref('components/schemas/RichForm'), html: text }),
  RichForm: { type: 'string', const: 'rich' },
  First: closedOf({ version: { type: 'integer', enum: [1] }, old: text }),
  Second: { allOf: [ref('components/schemas/Version'), closedOf({ version: true, new: text })] },
  Version: objectOf({ version: { const: 2 } }),
  Third: closedOf({ version: { type: 'integer' }, newer: text }),
  Cat: closedOf({ kind: { enum: ['cat', 'dog'] }, lives: small }),
  Dog: closedOf({ kind: { enum: ['cat', 'dog'] }, barks: small }),
  'a.b-c_d': objectOf({ 'x/y~z': small, 'ä %': small }),
}

/** Names that objects inherit members by. */
export const inherited = ['hasOwnProperty', 'constructor', 'valueOf', 'toString', '__proto__']
const ofInherited = (value: unknown) => Object.fromEntries(inherited.map((name) => [name, value]))

export const kinds: readonly Kind[] = [
  {
    what: 'a reference into $defs of a component',
    schema: ref('components/schemas/Box'),
    valid: [{ size: 1 }, {}],
    invalid: [[{ size: 0 }, '/size']],
  },
  {
    what: 'a reference to a property of a component',
    schema: objectOf({ size: ref('components/schemas/Unit/properties/size') }),
    valid: [{ size: 9 }],
    invalid: [[{ size: 10 }, '/size']],
  },
  {
    what: 'a reference to the items of a property',
    schema: { type: 'array', items: ref('components/schemas/Unit/properties/sizes/items') },
    valid: [[], [1, 9]],
    invalid: [[[1, 'a'], '/1']],
  },
  {
    what: 'a reference to an item of anyOf',
    schema: ref('components/schemas/Either/anyOf/1'),
    valid: [{ wide: 1 }],
    invalid: [[{ wide: 0 }, '/wide']],
  },
  {
    what: 'a reference with escapes',
    schema: objectOf({
      a: ref('components/schemas/a.b-c_d/properties/x~1y~0z'),
      b: ref('components/schemas/a.b-c_d/properties/%C3%A4%20%25'),
    }),
    valid: [{ a: 1, b: 2 }],
    invalid: [
      [{ a: 0 }, '/a'],
      [{ b: 0 }, '/b'],
    ],
  },
  {
    what: 'a reference to the schema of another body',
    schema: ref('paths/~1requests~10/post/requestBody/content/application~1json/schema'),
    valid: [{ size: 1 }],
    invalid: [[{ size: 0 }, '/size']],
  },
  {
    what: 'a schema that refers to itself through a part',
    schema: ref('components/schemas/Tree'),
    valid: [{ size: 1, children: [{ tree: { size: 2 } }] }],
    invalid: [[{ children: [{ tree: { size: 0 } }] }, '/children/0/tree/size']],
  },
  {
    what: 'a discriminator whose forms declare their values',
    schema: chosenBy('form', ['Plain', 'Rich']),
    valid: [
      { form: 'plain', text: 'a' },
      { form: 'rich', html: 'a' },
    ],
    invalid: [
      [{ form: 'Plain', text: 'a' }, '/form'],
      [{ html: 'a' }, '/form'],
      [{ form: 'plain', text: 1 }, '/text'],
      [{ form: 'rich', html: 1 }, '/html'],
    ],
  },
  {
    what: 'a discriminator whose values are integers, declared or mapped',
    schema: chosenBy('version', ['First', 'Second', 'Third'], { 3: 'Third' }),
    valid: [
      { version: 1, old: 'a' },
      { version: 2, new: 'a' },
      { version: 3, newer: 'a' },
    ],
    invalid: [
      [{ version: 4, old: 'a' }, '/version'],
      [{ version: 2, new: 1 }, '/new'],
      [{ version: 3, newer: 1 }, '/newer'],
    ],
  },
  {
    what: 'a discriminator whose forms declare the same values',
    schema: chosenBy('kind', ['Cat', 'Dog']),
    valid: [
      { kind: 'cat', barks: 1 },
      { kind: 'dog', lives: 9 },
    ],
    invalid: [[{ kind: 'Cat', lives: 9 }, '/kind']],
  },
  {
    what: 'values that look like schemas',
    schema: objectOf({ a: { const: data }, b: { enum: [1, data] } }),
    valid: [{ a: data, b: data }, { b: 1 }],
    invalid: [[{ a: { ...data, required: [] } }, '/a']],
  },
  {
    what: 'properties whose names are keywords',
    schema: objectOf({ ...names, items: small }, { required: ['items'] }),
    valid: [{ items: 1, required: { default: 'a' }, $ref: { default: 'b' } }],
    invalid: [
      [{ items: 0 }, '/items'],
      [{ items: 1, properties: { default: 1 } }, '/properties/default'],
    ],
  },
  {
    what: 'a reference to an $anchor',
    schema: objectOf({
      size: { $ref: '#size' },
      sizes: { type: 'array', items: { $ref: '#size' } },
    }),
    valid: [{ size: 1, sizes: [9] }],
    invalid: [
      [{ size: 0 }, '/size'],
      [{ sizes: [0] }, '/sizes/0'],
    ],
  },
  {
    what: 'a reference from the root of the description in a schema with an $id',
    schema: ref('components/schemas/Identified'),
    valid: [{ size: 1 }],
    invalid: [[{ size: 0 }, '/size']],
  },
  {
    what: 'keywords beside a reference',
    schema: ref('components/schemas/Unit/properties/size', { maximum: 5 }),
    valid: [5],
    invalid: [
      [6, ''],
      [0, ''],
    ],
  },
  {
    what: 'multiples of 0.01',
    schema: cents,
    valid: [19.99, 0.07, 0.29, 4.35, 0, -0.01, 12345678901.23, 1e21],
    invalid: [
      [0.001, ''],
      [19.999, ''],
      [12345678901.234, ''],
      [1e-7, ''],
    ],
  },
  {
    what: 'multiples of 0.1',
    schema: { type: 'number', multipleOf: 0.1 },
    valid: [0.3, 1.1, 100],
    invalid: [[0.35, '']],
  },
  {
    what: 'multiples of 1e-7 and of 2.5',
    schema: closedOf({ a: { type: 'number', multipleOf: 1e-7 }, b: { multipleOf: 2.5 } }),
    valid: [{ a: 3e-7, b: 7.5 }],
    invalid: [
      [{ a: 3.5e-7, b: 5 }, '/a'],
      [{ a: 0, b: 6 }, '/b'],
    ],
  },
  {
    what: 'multiples of an integer',
    schema: { type: 'integer', multipleOf: 3 },
    valid: [9, -9, 0],
    invalid: [[10, '']],
  },
  {
    what: 'a tuple',
    schema: point,
    valid: [[1.5, 'a']],
    invalid: [
      [[1.5], ''],
      [['a', 'a'], '/0'],
      [[1, 2], '/1'],
      [[1, 'a', 3], ''],
    ],
  },
  {
    what: 'a tuple with further items, in a property',
    schema: closedOf({ at: { type: 'array', prefixItems: [small], items: text, maxItems: 3 } }),
    valid: [{ at: [] }, { at: [1, 'a', 'b'] }],
    invalid: [
      [{ at: [1, 2] }, '/at/1'],
      [{ at: ['a'] }, '/at/0'],
    ],
  },
  {
    what: 'a tuple of tuples',
    schema: { type: 'array', prefixItems: [point, point], minItems: 2, maxItems: 2 },
    valid: [
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    invalid: [[[[1, 'a'], [2]], '/1']],
  },
  {
    what: 'a tuple whose further items are not evaluated',
    schema: { type: 'array', prefixItems: [small], minItems: 1, unevaluatedItems: false },
    valid: [[1]],
    invalid: [[[1, 1], '/1']],
  },
  {
    what: 'names that objects inherit, closed',
    schema: closedOf(ofInherited(text)),
    valid: [ofInherited('a')],
    invalid: [
      [{ ...ofInherited('a'), constructor: 1 }, '/constructor'],
      [{ ...ofInherited('a'), ['__proto__']: 1 }, '/__proto__'],
      [{ ...ofInherited('a'), isPrototypeOf: 'a' }, '/isPrototypeOf'],
    ],
  },
  ...inherited.map((name) => ({
    what: `a required property called ${name}`,
    schema: objectOf({ [name]: small }, { required: [name] }),
    valid: [{ [name]: 1 }],
    invalid: [
      [{}, `/${name}`],
      [{ [name]: 0 }, `/${name}`],
    ] as const,
  })),
  ...inherited.map((name) => ({
    what: `an optional property called ${name}`,
    schema: objectOf({ [name]: small, other: text }, { unevaluatedProperties: false }),
    valid: [{}, { other: 'a' }, { [name]: 1 }],
    invalid: [[{ [name]: 'a' }, `/${name}`]] as const,
  })),
  {
    what: 'a body of any JSON',
    schema: true,
    valid: [1, 'a', [], {}, null, false],
    invalid: [],
  },
  {
    what: 'a property that may be anything, and one that may not be there',
    schema: objectOf({ any: true, none: false }),
    valid: [{}, { any: { a: [1] } }],
    invalid: [[{ none: 1 }, '/none']],
  },
  {
    what: 'items of any JSON, and no items',
    schema: objectOf({
      any: { type: 'array', items: true },
      none: { type: 'array', items: false },
    }),
    valid: [{ any: [1, 'a', null], none: [] }],
    invalid: [[{ none: [1] }, '/none/0']],
  },
  {
    what: 'boolean schemas in allOf, anyOf, not and contains',
    schema: {
      allOf: [true, { anyOf: [false, { type: 'array', contains: true }] }],
      not: false,
    },
    valid: [[1]],
    invalid: [['a', '']],
  },
  {
    what: 'boolean schemas of additional properties and names',
    schema: objectOf({}, { additionalProperties: true, propertyNames: true }),
    valid: [{ a: 1 }],
    invalid: [[1, '']],
  },
  {
    what: 'a property whose enum is empty',
    schema: objectOf({ flags: { type: 'integer', enum: [] } }),
    valid: [{}],
    invalid: [[{ flags: 1 }, '/flags']],
  },
  {
    what: 'a pattern with a hyphen behind a class',
    schema: { type: 'string', pattern: '^[\\w-.]+$' },
    valid: ['a-b.c'],
    invalid: [['a b', '']],
  },
  {
    what: 'a pattern with an escaped hyphen',
    schema: { type: 'string', pattern: '^a\\-b$' },
    valid: ['a-b'],
    invalid: [['a', '']],
  },
  {
    what: 'names of properties by a pattern that needs no flag u',
    schema: {
      type: 'object',
      patternProperties: { '^x\\-': small },
      additionalProperties: false,
    },
    valid: [{ 'x-a': 1 }],
    invalid: [
      [{ 'x-a': 0 }, '/x-a'],
      [{ y: 1 }, '/y'],
    ],
  },
  {
    what: 'a pattern that needs the flag u',
    schema: { type: 'string', pattern: '^\\p{L}.$', examples: ['ab'] },
    valid: ['ä\u{1F43E}'],
    invalid: [['1a', '']],
  },
]
