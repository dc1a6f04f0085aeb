import type { JudgedApi } from '../client/index.ts'

export const first = async (api: JudgedApi): Promise<string | undefined> =>
  (await api.searchUsers({ limit: 1 }))[0]?.a
// @ts-expect-error
export const wrong = (api: JudgedApi) => api.listUsers({ limit: 'a' })
