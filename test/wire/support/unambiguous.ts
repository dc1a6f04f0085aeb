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
]
