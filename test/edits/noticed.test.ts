import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import description from '../../generated/openapi.json' with { type: 'json' }
import { basePath, operations } from '../../generated/operations.ts'
import { locate, rootOf } from '../../server/contract/description/description.ts'
import { generateIn, runIn, typeFaultsIn } from './support/compiling.ts'
import { noticed } from './support/edits.ts'
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
  expect(await testIn(copy)).toEqual({ status: 1, holes: [hole] })
})

async function testIn(copy: string) {
  const run = await runIn(copy, 'node_modules/vitest/vitest.mjs', 'run', '--root', copy)
  return { status: run.status, holes: run.output.match(/^documented, and seen by no .*$/gm) ?? [] }
}

/** A test that has seen every answer that the contract documents as it is now. */
function testOfEverythingDocumented(): string {
  const answers = Object.values(operations).flatMap(({ method, path, parameters }) => {
    const at = locate(description, rootOf(description), 'paths', path, method, 'responses')
    const query = Object.keys(parameters.query).map((name) => `${name}=1`)
    const filled = path.replaceAll(/\{[^{}]+\}/g, '1')
    const url = `http://localhost${basePath}${filled}?${query.join('&')}`
    const headers = Object.fromEntries(Object.keys(parameters.header).map((name) => [name, '1']))
    return Object.keys(at?.node ?? {}).map((status) => ({ url, method, headers, status }))
  })
  return `
    import { test } from 'vitest'
    import { observe } from './support/observations.ts'

    test('everything that is documented is seen', () => {
      for (const { url, method, headers, status } of ${JSON.stringify(answers)}) {
        observe(new Request(url, { method, headers }), Number(status))
      }
    })
  `
}
