import type { Answers } from './answers.ts'
import { badRequests } from './bad-requests.ts'
import { goodRequests } from './good-requests.ts'
import type { Means } from './kind.ts'

/** Sends requests of all kinds by chance, each as often as its weight says. */
export function createMix(means: Means, answers: Answers) {
  const kinds = [...goodRequests(means), ...badRequests(means)]
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0)
  return {
    async sendOne(): Promise<void> {
      let place = means.random() * total
      const kind = kinds.find(({ weight }) => {
        place -= weight
        return place < 0
      })
      if (kind === undefined) return
      const { status, text } = await kind.run()
      answers.note(kind.name, status, text)
    },
  }
}
