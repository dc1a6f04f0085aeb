import type { Handlers } from '../server/contract/handler.ts'

async function* texts() {
  yield { price: 'high' }
}

export const wrongItem: Partial<Handlers> = {
  // @ts-expect-error a price is a number
  watchData: (_input, { respond }) => respond(200, texts()),
}
