import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { startTestService } from '../support/service.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** What node:http made for each answer since, as far as it is still in memory. */
function watchAnswers() {
  const answers: WeakRef<object>[] = []
  channel('http.server.response.finish').subscribe((message) => {
    const { response } = Object(message)
    answers.push(new WeakRef(response))
  })
  return {
    count: () => answers.length,
    async kept() {
      await nextTurn()
      collect()
      return answers.filter((answer) => answer.deref() !== undefined).length
    },
  }
}

const body = JSON.stringify({ name: 'Rex', categoryId: 7 })
const content = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

test.for([
  ['a page', 'GET /v1/pets', '\r\n'],
  ['a create', 'POST /v1/pets', content],
  ['a refusal of content that nobody reads', 'POST /v1/nothing', content],
])(
  'what was made for %s is let go while its connection waits for the next request',
  async ([, line, rest]) => {
    const { origin, apiKey } = await startTestService()
    const answers = watchAnswers()
    const { hostname, port } = new URL(origin)
    const socket = connect(Number(port), hostname)
    for (const count of [1, 2, 3]) {
      socket.write(`${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\n${rest}`)
      await once(socket, 'data')
      await expect.poll(answers.count).toBe(count)
    }
    await expect.poll(answers.kept).toBe(0)
    expect(socket.closed).toBe(false)
    socket.destroy()
  },
)
