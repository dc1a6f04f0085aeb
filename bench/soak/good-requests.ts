import { fieldsOf, type Kind, type Means, pick } from './kind.ts'
import type { Answer } from './sender.ts'

/** What a service is there for. */
export function goodRequests({ apiKey, ledger, random, send }: Means): readonly Kind[] {
  const { key, json } = fieldsOf(apiKey)
  let made = 0

  async function create(headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const name = `${pick(random, ['Rex', 'Ænna', '犬', '🐈', 'a'.repeat(60)])} ${made++}`
    const body = JSON.stringify({ name, categoryId: Math.floor(random() * 10) })
    const wanted = { method: 'POST', path: '/pets', headers: { ...json, ...headers }, body }
    const answer = await send(wanted)
    if (answer.status !== 201) return answer
    ledger.add(JSON.parse(answer.text).id, name)
    if (Object.keys(headers).length === 0) return answer
    const again = await send(wanted)
    if (again.status !== 201 || again.text === answer.text) return again
    return { status: 500, text: `a repetition got another answer: ${again.text}` }
  }

  const list = (query: string) => () => send({ path: `/pets${query}`, headers: key })
  return [
    { name: 'good: list of 20', weight: 20, run: list('') },
    { name: 'good: list of 100', weight: 10, run: list('?limit=100') },
    { name: 'good: list by status', weight: 5, run: list('?status=sold') },
    {
      name: 'good: get',
      weight: 20,
      run: () => {
        const id = ledger.any(random())
        return id === undefined ? create() : send({ path: `/pets/${id}`, headers: key })
      },
    },
    { name: 'good: create', weight: 12, run: () => create() },
    {
      name: 'good: create, and once more',
      weight: 4,
      run: () => create({ 'Idempotency-Key': `${made}-${random()}` }),
    },
  ]
}
