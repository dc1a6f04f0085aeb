import type { JudgedApi } from '../client/index.ts'

export const add = async (api: JudgedApi): Promise<unknown> => api.addNote([1], { tag: 'a' })
// @ts-expect-error
export const wrong = async (api: JudgedApi): Promise<string> => api.addNote('a')
