import { animal, body, chunk, lastChunk, length, type Row } from './requests.ts'

const hidden = 'POST /v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n'

/** What is one request after another, and has one answer after another. */
export const unambiguous: readonly Row[] = [
  [
    'content of a GET is no request',
    [200, 200],
    ({ get, last }) => get('/v1/pets', `Content-Length: ${hidden.length}\r\n`) + hidden + last,
  ],
  [
    'content of a refused request is none',
    [401, 200],
    ({ last }) =>
      `POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}${last}`,
  ],
  [
    'nor in chunks',
    [401, 200],
    ({ last }) =>
      `POST /v1/pets HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(hidden)}${lastChunk}${last}`,
  ],
  [
    'after Connection: close nothing is read',
    [200],
    ({ get, post }) => get('/v1/pets', 'Connection: close\r\n') + post(length, animal),
  ],
  [
    'after an answer that closes nothing is done',
    [417],
    ({ get, post }) => get('/v1/pets', 'Expect: tea\r\n') + post(length, animal),
  ],
  [
    'after HTTP/1.0 nothing is read',
    [200],
    ({ get, post }) => get('/v1/pets').replace('HTTP/1.1', 'HTTP/1.0') + post(length, animal),
  ],
  [
    'a trailer is no header',
    [401, 200],
    ({ last, chunked }) =>
      chunked(`${chunk(animal)}0\r\nAuthorization: Bearer ask_\r\nHost: b\r\n\r\n`).replace(
        /Authorization: Bearer ask_\w{30,}\r\n/,
        '',
      ) + last,
  ],
  [
    'an Upgrade is not taken',
    [200],
    ({ get, post }) =>
      get('/v1/pets', 'Connection: Upgrade\r\nUpgrade: h2c\r\n') + post(length, animal),
  ],
  [
    'lines before a request are skipped',
    [200, 200],
    ({ get, last }) => `\r\n\r\n${get('/v1/pets')}\r\n${last}`,
  ],
  [
    'an extension means nothing',
    [201, 200],
    ({ chunked, last }) => chunked(chunk(animal, ';a=b;c="d e"') + lastChunk) + last,
  ],
  [
    'case and spaces mean nothing',
    [201, 200],
    ({ post, last }) => post(`cONTENT-lENGTH: \t ${animal.length} \t\r\n`, animal) + last,
  ],
  [
    'nor for a coding',
    [201, 200],
    ({ post, last }) => post('transfer-encoding:CHUNKED\r\n', body) + last,
  ],
  ['HTTP/1.0 needs no Host', [200], () => 'GET /livez HTTP/1.0\r\n\r\n'],
  [
    'HTTP/1.0 may stay',
    [200, 200],
    ({ get, last }) =>
      get('/v1/pets', 'Connection: keep-alive\r\n').replace('HTTP/1.1', 'HTTP/1.0') + last,
  ],
  [
    'TRACE shows nothing',
    [405, 200],
    ({ get, last }) => get('/v1/pets').replace('GET', 'TRACE') + last,
  ],
  [
    'a method in lower case is another one',
    [501],
    ({ get, last }) => get('/v1/pets').replace('GET', 'get') + last,
  ],
  [
    'bytes beyond ASCII in a field',
    [200, 200],
    ({ get, last }) => get('/v1/pets', 'X: \xff\x80\r\n') + last,
  ],
  ['a hundred fields', [200, 200], ({ get, last }) => get('/v1/pets', 'a:b\r\n'.repeat(98)) + last],
  ['one more', [431], ({ get, last }) => get('/v1/pets', 'a:b\r\n'.repeat(99)) + last],
  [
    'a body that is announced too large is not asked for',
    [413],
    ({ post }) =>
      post('Content-Length: 100001\r\nExpect: 100-continue\r\nConnection: close\r\n', ''),
  ],
  [
    'an expectation among others',
    [417],
    ({ post }) => post(`${length}Expect: 100-continue, tea\r\n`, animal),
  ],
]
