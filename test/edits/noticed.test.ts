import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describedExchanges } from '../traffic/support/described-exchanges.ts'
import { noticed } from './support/code-edits.ts'
import { generateIn, runIn, typeFaultsIn } from './support/compiling.ts'
import { addPart, createProjectCopy, editSpec } from './support/project-copy.ts'

const rows = noticed.map(([kind, what, edit, hole]) => ({ kind, what, edit, hole }))

test.for(rows)('$kind ($what): npm test fails and says "$hole"', async ({ edit, hole }) => {
  const copy = await createProjectCopy()
  await addPart(copy, 'vitest.config.ts')
  await addPart(copy, 'test/support')
  await addPart(copy, 'test/package/support/run-folder.ts')
  await writeFile(join(copy, 'test/everything.test.ts'), testOfEverythingDocumented())
  expect(await testIn(copy)).toEqual({ status: 0, holes: [] })

  await editSpec(copy, edit)
  expect(await generateIn(copy)).toEqual([])
  expect(await typeFaultsIn(copy)).toEqual([])
  expect(await testIn(copy)).toEqual({
    status: 1,
    holes: [hole, hole.replace(/^.*:/, 'described, and in no recorded traffic:')],
  })
})

async function testIn(copy: string) {
  const run = await runIn(copy, 'node_modules/vitest/vitest.mjs', 'run', '--root', copy)
  return {
    status: run.status,
    holes: run.output.match(/^(?:documented|described), and .*$/gm) ?? [],
  }
}

/** A test that has seen every answer that the contract documents as it is now. */
function testOfEverythingDocumented(): string {
  const answers = describedExchanges().map(({ url, method, status, ...rest }) => {
    const fields = Object.fromEntries(rest.requestHeaders.map(({ name, value }) => [name, value]))
    const sent = { method, headers: fields, ...(method === 'POST' && { body: rest.requestBody }) }
    const headers = Object.fromEntries(rest.headers.map(({ name, value }) => [name, value]))
    return { url, sent, body: rest.body, answer: { status, headers } }
  })
  return `
    import { test } from 'vitest'
    import { observe } from './support/observations.ts'
    import { allRecorded, record } from './support/traffic/recorder.ts'

    test('everything that is documented is seen', async () => {
      for (const { url, sent, body, answer } of ${JSON.stringify(answers)}) {
        const request = new Request(url, sent)
        observe(request, answer.status)
        record(request, new Response(body, answer))
      }
      await allRecorded()
    })
  `
}
