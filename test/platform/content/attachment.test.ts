import { parse } from 'content-disposition'
import { expect, test } from 'vitest'
import { attachment } from '../../../server/contract/attachment.ts'
import { respond } from '../../../server/contract/handler-response.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi, type SmallOperation } from '../validation/support/small-api.ts'

test('a download has the Content-Disposition of its file name, whatever its characters', async () => {
  const rows: readonly (readonly [given: string, received: string])[] = [
    ['saws.png', 'saws.png'],
    ['é☃.png', 'é☃.png'],
    ['100% "new".png', '100% "new".png'],
    ['two\r\nlines: 1.png', 'twolines: 1.png'],
    [`half ${'\u{1F600}'.slice(0, 1)}.png`, 'half \ufffd.png'],
  ]
  const operations = rows.map(([name], index) => {
    const headers = { 'Content-Disposition': attachment(name) }
    const handler = () => respond(200, Buffer.from('a'), headers)
    const disposition = { required: true, schema: { type: 'string' } }
    const declared = { 'Content-Disposition': disposition }
    const response = { headers: declared, content: { 'image/png': {} } }
    return { method: 'get', path: `/${index}`, response, handler } satisfies SmallOperation
  })
  const { send } = await startServiceOf(createSmallApi(operations, {}))

  for (const [index, [, received]] of rows.entries()) {
    const { status, headers } = await send(`/v1/${index}`)
    const { type, parameters } = parse(headers.get('Content-Disposition') ?? '')
    expect
      .soft([status, type, parameters['filename']], received)
      .toEqual([200, 'attachment', received])
  }
})
