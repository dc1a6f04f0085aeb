import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runClientSnippet, runCurl } from '../../helpers/page-code.ts'
import { project } from '../../helpers/program.ts'
import { startAnimalStore } from '../support/service.ts'

/** Returns the first block of the README in a language that has a text, on the address of a service. */
function blockWith(language: string, text: string, origin: string): string {
  const readme = readFileSync(join(project, 'README.md'), 'utf8')
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')
  const blocks = [...readme.matchAll(fence)].map(([, block = '']) => block)
  const block = blocks.find((each) => each.includes(text)) ?? ''
  return block.replaceAll('http://127.0.0.1:3000', origin)
}

test('the curl commands of the README work in their order', async () => {
  const { origin, apiKey } = await startAnimalStore()
  const commands = blockWith('sh', 'curl', origin).replace(/^export KEY=.*$/m, '')
  const rex = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}'
  expect(await runCurl(commands, apiKey)).toBe(`${rex}[${rex}]${rex}`)
})

test('the client snippet of the README works', async () => {
  const { origin, apiKey } = await startAnimalStore()
  const output = await runClientSnippet(blockWith('ts', 'import', origin), apiKey)
  expect(output).toContain('1 1\n')
  expect(output).toMatch(/^invalid_request 400 \[\s+\{\s+path: '\/body\/name'/m)
})
