import { expect, test } from 'vitest'
import { createHealthPages } from '../../server/ops/health.ts'

/** The page that is asked for readiness, and how often the store was asked; it answers when it is told to. */
function probe() {
  let looks = 0
  let answer = Promise.withResolvers<void>()
  const ping = () => {
    looks++
    return answer.promise
  }
  const { '/readyz': page } = createHealthPages({ store: { ping }, isDraining: () => false })
  return {
    looks: () => looks,
    ask: () => Promise.resolve(page?.()),
    end(error?: Error) {
      if (error === undefined) answer.resolve()
      else answer.reject(error)
      answer = Promise.withResolvers<void>()
    },
  }
}

test('however many ask, the store is asked once at a time', async () => {
  const { looks, ask, end } = probe()
  const asking = Promise.all(Array.from({ length: 50 }, ask))
  end()
  for (const reply of await asking) expect(reply).toMatchObject({ status: 200 })
  expect(looks()).toBe(1)
  const next = ask()
  end()
  await next
  expect(looks()).toBe(2)
})

test('a store that is away is that to all who ask, and is asked again by the next', async () => {
  const { looks, ask, end } = probe()
  const asking = [ask(), ask()].map((asked) => expect(asked).rejects.toThrow('away'))
  end(new Error('away'))
  await Promise.all(asking)
  const next = ask()
  end()
  expect(await next).toMatchObject({ status: 200 })
  expect(looks()).toBe(2)
})
