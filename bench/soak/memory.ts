import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** What a process has in use, in MiB. */
export interface Memory {
  /** Objects that are still needed, after a full collection. */
  readonly live: number
  /** All that the operating system has given it and not got back. */
  readonly resident: number
}

/** Makes what collects the garbage of a process that can be inspected at a port, and looks. */
export async function createMemoryProbe(processId: number, port: number) {
  const [target] = await (await fetch(`http://127.0.0.1:${port}/json`)).json()
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await once(socket, 'open')
  let lastId = 0

  async function ask(method: string): Promise<Readonly<Record<string, number>>> {
    const id = ++lastId
    const answered = new Promise<Readonly<Record<string, number>>>((resolve) => {
      socket.addEventListener('message', function listen({ data }) {
        const answer = JSON.parse(data)
        if (answer.id !== id) return
        socket.removeEventListener('message', listen)
        resolve(answer.result)
      })
    })
    socket.send(JSON.stringify({ id, method }))
    return answered
  }

  return {
    async look(): Promise<Memory> {
      await ask('HeapProfiler.collectGarbage')
      const { usedSize = 0 } = await ask('Runtime.getHeapUsage')
      const status = readFileSync(`/proc/${processId}/status`, 'utf8')
      const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(status) ?? []
      return { live: usedSize / 2 ** 20, resident: Number(kibibytes) / 1024 }
    },
    close: () => socket.close(),
  }
}
