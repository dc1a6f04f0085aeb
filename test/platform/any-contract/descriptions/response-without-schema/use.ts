import type { JudgedApi } from '../client/index.ts'

export const read = async (api: JudgedApi): Promise<unknown> => api.getStatus()
export const other = async (api: JudgedApi): Promise<string> => api.getOther()
// @ts-expect-error
export const wrong = async (api: JudgedApi): Promise<number> => api.getOther()
