import { expect } from 'vitest'

/** One of the answers that a raw connection got. */
export interface AnswerOfMany {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Takes apart what came on a connection, to its last byte: bytes that belong to no answer fail the
 * test. Whatever is neither a success nor `100 Continue` has to be an Error object.
 */
export function answersIn(text: string): AnswerOfMany[] {
  const answers: AnswerOfMany[] = []
  for (let rest = text; rest !== ''; ) {
    const [head = ''] = rest.split('\r\n\r\n', 1)
    const [statusLine = '', ...fields] = head.split('\r\n')
    const [, digits] = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine) ?? []
    expect(digits, `the bytes ${JSON.stringify(rest.slice(0, 200))} are an answer`).toBeDefined()
    const headers = Object.fromEntries(fields.map(toField))
    const length = Number(headers['content-length'] ?? 0)
    const start = head.length + 4
    const bytes = Buffer.from(rest.slice(start, start + length), 'latin1')
    expect(bytes).toHaveLength(length)
    const answer = { status: Number(digits), headers, body: bytes.toString() }
    if (answer.status >= 300) expectError(answer)
    answers.push(answer)
    rest = rest.slice(start + length)
  }
  return answers
}

/** The statuses of what came on a connection, in order. */
export function statusesIn(text: string): number[] {
  return answersIn(text).map(({ status }) => status)
}

function expectError({ status, headers, body }: AnswerOfMany): void {
  expect(headers['content-type']).toBe('application/json')
  const error = JSON.parse(body)
  expect(error).toEqual({
    code: expect.stringMatching(/^[a-z_]+$/),
    message: expect.stringMatching(/./),
    status,
    ...('details' in error ? { details: expect.any(Array) } : {}),
  })
}

function toField(field: string): readonly [string, string] {
  const at = field.indexOf(':')
  return [field.slice(0, at).toLowerCase(), field.slice(at + 1).trim()]
}
