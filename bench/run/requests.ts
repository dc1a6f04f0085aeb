/** A kind of request: its bytes by its number, and the statuses that are right for it. */
export interface RequestKind {
  readonly bytes: (number: number) => Buffer
  readonly statuses: readonly number[]
}

/** Animals that stores have before they are measured. */
export const animalCount = 1_000

/** Makes each kind of request, by its name. */
export function requestKinds(key: string): ReadonlyMap<string, RequestKind> {
  const list = get('/v1/pets?limit=20', key)
  const create = post(JSON.stringify({ name: 'Rex', categoryId: 7, status: 'available' }), key)
  const gets = Array.from({ length: animalCount }, (_, index) => get(`/v1/pets/${index + 1}`, key))
  const getSome = (number: number): Buffer => gets[number % animalCount] ?? list
  return new Map([
    ['list', { bytes: () => list, statuses: [200] }],
    ['get', { bytes: getSome, statuses: [200] }],
    ['create', { bytes: () => create, statuses: [201] }],
    ['mix', mixed(key, list, getSome)],
  ])
}

/** A list from a place on, given by the target of its request. */
export function pageAt(target: string, key: string): RequestKind {
  const page = get(target, key)
  return { bytes: () => page, statuses: [200] }
}

/**
 * Good and bad requests, in the share that a busy service gets them. Names and media types differ
 * each time: what keeps them grows.
 */
function mixed(key: string, list: Buffer, getSome: RequestKind['bytes']): RequestKind {
  const rare: readonly ((number: number) => Buffer)[] = [
    (number) => post(JSON.stringify({ name: `Rex ${number}`, categoryId: number }), key),
    (number) => post(JSON.stringify({ name: '', categoryId: `${number}` }), key),
    (number) => get(`/v1/pets?limit=${1_000 + number}`, key),
    (number) => get(`/v1/pets/${1e9 + number}`, key),
    (number) => get(`/v1/nothing/${number}`, key),
    (number) => post('{"name":"Mia","categoryId":3}', key, `application/json; number=${number}`),
    (number) => get(`/v1/pets?limit=20`, key, `X-Request-Id: request-${number}\r\n`),
    (number) => get(`/v1/pets?status=sold&limit=${(number % 100) + 1}`, key),
  ]
  return {
    bytes(number) {
      if (number % 3 === 0) return list
      if (number % 3 === 1) return getSome(number)
      return rare[Math.floor(number / 3) % rare.length]?.(number) ?? list
    },
    statuses: [200, 201, 400, 404],
  }
}

function get(target: string, key: string, fields = ''): Buffer {
  return Buffer.from(`GET ${target} HTTP/1.1\r\n${headOf(key)}${fields}\r\n`)
}

function post(body: string, key: string, type = 'application/json'): Buffer {
  const content = `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
  return Buffer.from(`POST /v1/pets HTTP/1.1\r\n${headOf(key)}${content}${body}`)
}

function headOf(key: string): string {
  return `Host: bench\r\nAuthorization: Bearer ${key}\r\n`
}
