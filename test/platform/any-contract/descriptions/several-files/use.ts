import type { JudgedApi } from '../client/index.ts'

export const sponsorOf = async (api: JudgedApi): Promise<string | undefined> =>
  (await api.getMember(1)).sponsor?.sponsor?.name
// @ts-expect-error
export const add = (api: JudgedApi) => api.addMember({ sponsor: {} })
