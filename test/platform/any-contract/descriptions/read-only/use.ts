import type { JudgedApi } from '../client/index.ts'

export const add = async (api: JudgedApi): Promise<number> =>
  (await api.addProfile({ name: 'a', password: 'b' })).id
// @ts-expect-error
export const wrong = (api: JudgedApi) => api.addProfile({ name: 'a' })
