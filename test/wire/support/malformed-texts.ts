import { animal } from './requests.ts'

const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16()
const latin1 = (text: string) => Buffer.from(text, 'latin1')
/** Bytes within a name, given in hexadecimal digits. */
const within = (hex: string) =>
  Buffer.concat([latin1('{"name":"a'), Buffer.from(hex, 'hex'), latin1('","categoryId":1}')])

type Row = readonly [what: string, body: Buffer, code: string, path: string, told: RegExp]

const malformed = 'malformed_json'
/** Bodies of a create that are refused: with which code, where, and in which words. */
export const malformedTexts: readonly Row[] = [
  ['UTF-16', Buffer.from(animal, 'utf16le'), malformed, '/body', /^byte 1: /],
  ['UTF-16, the other way', swapped(animal), malformed, '/body', /^byte 0: /],
  [
    'UTF-16 with a mark',
    Buffer.from(`\ufeff${animal}`, 'utf16le'),
    malformed,
    '/body',
    /^byte 0: .*UTF-8/,
  ],
  [
    'UTF-16 with a mark, the other way',
    swapped(`\ufeff${animal}`),
    malformed,
    '/body',
    /^byte 0: .*UTF-8/,
  ],
  ['UTF-32', Buffer.from('7b0000007d000000', 'hex'), malformed, '/body', /^byte 1: /],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${animal}`), malformed, '/body', /^byte 0: .*mark/],
  ['UTF-7', latin1('+AHs-'), malformed, '/body', /^byte 0: /],
  ['Latin-1', within('e9'), malformed, '/body', /^byte 10: .*UTF-8/],
  ['an overlong slash', within('c0af'), malformed, '/body', /^byte 10: .*UTF-8/],
  ['an overlong NUL', within('c080'), malformed, '/body', /^byte 10: .*UTF-8/],
  ['an overlong letter of four bytes', within('f0808161'), malformed, '/body', /^byte 10: .*UTF-8/],
  ['a surrogate', within('eda080'), malformed, '/body', /^byte 10: .*UTF-8/],
  ['a pair of surrogates', within('eda0bdedb0b6'), malformed, '/body', /^byte 10: .*UTF-8/],
  ['beyond Unicode', within('f4908080'), malformed, '/body', /^byte 10: .*UTF-8/],
  ['a byte of five', within('f888808080'), malformed, '/body', /^byte 10: .*UTF-8/],
  ['a character that stops short', within('e282'), malformed, '/body', /^byte 10: .*UTF-8/],
  ['a byte that continues nothing', within('80'), malformed, '/body', /^byte 10: .*UTF-8/],
  ['NUL', within('00'), malformed, '/body', /^byte 10: .*control/],
  ['a control character', within('1b'), malformed, '/body', /^byte 10: .*control/],
  ['a line feed', within('0a'), malformed, '/body', /^byte 10: .*control/],
  ['an escape without end', within('5c'), malformed, '/body', /^byte \d+: /],
  ['NUL after the text', latin1(`${animal}\0`), malformed, '/body', /^byte 27: .*end of the text/],
  [
    'half a pair',
    latin1('{"name":"\\ud83d","categoryId":1}'),
    malformed,
    '/body',
    /^byte 9: .*surrogate/,
  ],
  ['half a pair in a name', latin1('{"\\udc36":1}'), malformed, '/body', /^byte 2: .*surrogate/],
  [
    'a name twice',
    latin1('{"name":"a","categoryId":1,"n\\u0061me":"b"}'),
    malformed,
    '/body',
    /^byte 27: .*twice/,
  ],
  [
    '__proto__ twice',
    latin1('{"__proto__":1,"__proto__":2}'),
    malformed,
    '/body',
    /^byte 15: .*twice/,
  ],
  [
    '33 levels',
    latin1(`{"name":${'['.repeat(32)}${']'.repeat(32)}}`),
    malformed,
    '/body',
    /^byte 39: .*32/,
  ],
  ['100,000 levels', latin1('['.repeat(100_000)), malformed, '/body', /^byte 32: .*32/],
  [
    'a number that is rounded',
    latin1('{"categoryId":9007199254740993}'),
    malformed,
    '/body',
    /^byte 14: .*precision/,
  ],
  [
    'a number of 90,000 digits',
    latin1(`{"categoryId":${'1'.repeat(90_000)}}`),
    malformed,
    '/body',
    /^byte 14: .*precision/,
  ],
  ['an infinity', latin1('{"categoryId":1e999}'), malformed, '/body', /^byte 14: .*precision/],
  ['NaN', latin1('{"categoryId":NaN}'), malformed, '/body', /^byte 14: /],
  [
    'a large number',
    latin1('{"name":"a","categoryId":1e300}'),
    'invalid_request',
    '/body/categoryId',
    /at most/,
  ],
  [
    'an escaped NUL',
    latin1('{"name":"\\u0000","categoryId":1}'),
    'invalid_request',
    '/body/name',
    /pattern/,
  ],
  [
    '1,001 characters',
    Buffer.from(`{"name":"${'🐶'.repeat(1_001)}","categoryId":1}`),
    'invalid_request',
    '/body/name',
    /1000/,
  ],
  [
    '__proto__',
    latin1('{"name":"a","categoryId":1,"__proto__":{"status":"sold"}}'),
    'invalid_request',
    '/body/__proto__',
    /known/,
  ],
  [
    'constructor',
    latin1('{"name":"a","categoryId":1,"constructor":{"prototype":{}}}'),
    'invalid_request',
    '/body/constructor',
    /known/,
  ],
  [
    'a name in another form',
    Buffer.from('{"ｎame":"a","name":"a","categoryId":1}'),
    'invalid_request',
    '/body/ｎame',
    /known/,
  ],
  [
    'a value in another form',
    Buffer.from('{"name":"a","categoryId":1,"status":"so\u0131d"}'),
    'invalid_request',
    '/body/status',
    /one of/,
  ],
]
