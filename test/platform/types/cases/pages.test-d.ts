import { client } from './api.ts'

export const page = await client.listParts({ cursor: 'a' })
export const next: string | undefined = page.next?.cursor
export const cursor: string | null | undefined = page.body.next

for await (const item of client.listParts()) {
  const id: number = item.id
  // @ts-expect-error it is a number
  const wrong: string = item.id
  console.log(id, wrong)
}
for await (const each of client.listParts().pages()) {
  const id: number | undefined = each.body.data?.items?.[0]?.id
  console.log(id)
}
for await (const text of client.listTexts()) {
  const { length }: string = text
  console.log(length)
}
