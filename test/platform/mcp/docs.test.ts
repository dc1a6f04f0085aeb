import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toObject } from '../../../server/description/json.ts'
import { connectAgent } from '../../helpers/agent.ts'
import { runCurl } from '../../helpers/page-code.ts'
import { project } from '../../helpers/program.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { json } from '../validation/support/kinds-service.ts'
import { createSmallApi } from '../validation/support/small-api.ts'

/** Returns the blocks of docs/agents.md in a language. */
function blocksOf(language: string): readonly string[] {
  const page = readFileSync(join(project, 'docs/agents.md'), 'utf8')
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))
  return Array.from(blocks, ([, block = '']) => block)
}

/** A file of an agent client. */
interface Configuration {
  readonly mcpServers: {
    readonly api: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  }
}

/** Starts a service with books that can be created. */
function startBooks() {
  const title = { type: 'string', minLength: 1 }
  const book = { type: 'object', properties: { id: { type: 'integer' }, title } }
  const create = {
    ...{ method: 'post', path: '/books', requestBody: { required: true, ...json(book) } },
    ...{ responses: { 201: json(book) } },
  }
  const handler = ({ body }: { readonly body: unknown }) => {
    return { status: 201, body: { id: 1, ...toObject(body) } }
  }
  return startServiceOf(createSmallApi([{ ...create, handler }], {}))
}

test('the blocks of docs/agents.md connect an agent, list the tools and show its results', async () => {
  const { origin, apiKey } = await startBooks()
  const [configuration = '', ...results] = blocksOf('json')
  const own = configuration
    .replace('http://127.0.0.1:3000', origin)
    .replace('$'.concat('{KEY}'), apiKey)
  const { mcpServers }: Configuration = JSON.parse(own)
  const { url, headers } = mcpServers.api
  const { pathname } = new URL(url)
  const agent = await connectAgent({ origin, key: '', path: pathname, headers })
  const [created, rejected] = results.map((block): object => JSON.parse(block))
  expect(await agent.call('operation0', { body: { title: 'Emma' } })).toEqual({
    ...{ isError: false, ...created },
  })
  expect(await agent.call('operation0', { body: { title: '' } })).toEqual({
    ...{ isError: true, ...rejected },
    headers: { 'x-request-id': expect.any(String) },
  })

  const [command = ''] = blocksOf('sh')
  const listed = await runCurl(command.replace('http://127.0.0.1:3000', origin), apiKey)
  expect(listed).toContain('"name":"operation0"')
})
