import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectAccessible } from '../../helpers/browser/visit.ts'
import { changeLimit, editText, set } from '../../helpers/spec-edit.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { handlers, shareLoop, spec } from './support/dev-loop.ts'

const loop = await shareLoop()
const { copy, origin, send, status, change, changeSpec, blockAfter, restore, openStudio } = loop
const { released, description, highest } = loop
const version: string = released.info.version
const nameLength = 'components schemas ToolFields properties name maxLength'
const longestName = Number(description.getIn(nameLength.split(' ')))
const waiting = { timeout: 120_000, interval: 50 }

test('a save by renaming shows what it changes, counts what was changed before, and builds the reference', async () => {
  await blockAfter(() => changeSpec(changeLimit(1)))
  const file = join(copy, spec)
  const shorter = set(nameLength, longestName - 1)
  const text = editText(await readFile(file, 'utf8'), shorter, set('info title', 'Another Title'))
  await writeFile(`${file}.new`, text)
  const block = await blockAfter(() => rename(`${file}.new`, file))
  expect(block).toMatch(/^ {2}breaking +\S.*maxLength/m)
  expect(block).toMatch(/^ {2}patch +1 text or example was reworded$/m)
  expect(block).not.toMatch(/ {2}minor .*limit/)
  expect(block).toMatch(new RegExp(`^  changes +1 earlier change since ${version}, `, 'm'))
  expect(block).toMatch(/^ {2}release .* Values that were stored before may not comply/m)
  expect(block).toMatch(/^ {2}Not releasable +The last save is served; npm run check rejects it/m)
  const reference = async () => (await fetch(`${origin}/docs`)).text()
  await expect.poll(reference, waiting).toContain('Another Title')
})

test('a component that nothing uses yet is a warning, and the save is served', async () => {
  const owner = { type: 'string', description: 'Whose tool.', examples: ['Ada'] }
  const add = set('components schemas Owner', owner)
  const block = await blockAfter(() => changeSpec(add, changeLimit(1)))
  expect(block).toMatch(/^ {2}warning +spec\/openapi\.yaml:\d+:\d+ no-unused-components /m)
  expect(block).toMatch(/^ {2}Version to raise /m)
  expect(await status(`/tools?limit=${highest + 1}`)).toBe(200)
})

test('an empty file, one that is not YAML, and another document do not stop the loop', async () => {
  for (const text of ['', 'openapi: [', 'a: 1\n']) {
    const block = await blockAfter(() => change(spec, () => text))
    expect(block.match(/^ {2}spec +spec\/openapi\.yaml:\d+:\d+ /gm), text).toHaveLength(1)
    expect(await status('/tools')).toBe(200)
  }
})

test('what an edit changes for clients is reported while its examples are still to be corrected', async (context) => {
  const status = 'components schemas Status enum'
  const [value, ...others] = released.components.schemas.Status.enum
  const block = await blockAfter(() => changeSpec(set(status, others)))
  expect(block).toMatch(/^ {2}spec .*example/m)
  expect(block).toMatch(new RegExp(`^  breaking .*no longer allows \`${value}\``, 'm'))
  expect(block).toMatch(/^ {2}Broken /m)
  const major = Number(version.split('.')[0])
  expect(block).toMatch(/^ {2}release .*stored-values\.yaml does not exist; write into it:$/m)
  const snippet = `${major + 1}.0.0:\n  components.schemas.Status: what was done`
  expect(block).toContain(`\n${snippet}`)
  const { items, isShown } = await openStudio(context, /^\d+ errors? in spec/)
  expect((await items('breaking').allInnerTexts()).join()).toMatch(/no longer allows/)
  // The values before and after.
  expect(await items('breaking').first().locator('del').innerText()).toContain(`- ${value}`)
  expect((await items('steps').allInnerTexts()).join()).toContain(snippet)
  expect(await isShown('code')).toBe(false)
})

test('while nothing is to be done, the studio page shows the operations and is accessible', async (context) => {
  const { page, items, errors, isShown, requestedElsewhere } = await openStudio(context)
  for (const list of ['steps', 'errors', 'breaking', 'code', 'compatible', 'warnings']) {
    expect(await isShown(list), list).toBe(false)
  }
  expect(await page.title()).toBe(`✓ Nothing changed since ${version} – ${released.info.title}`)
  const listed = await items('operations').allInnerTexts()
  const operations = Object.values<Record<string, UncheckedJson>>(released.paths).flatMap((item) =>
    Object.values(item),
  )
  for (const { operationId, deprecated } of operations) {
    if (operationId === undefined) {
      continue
    }
    const [text = ''] = listed.filter((one) => one.includes(operationId))
    expect(text).toContain('implemented')
    expect(/will be removed on \d/.test(text), operationId).toBe(deprecated === true)
  }
  const link = page.getByRole('link', { name: 'Reference' })
  expect(await link.getAttribute('href')).toBe(`${origin}/docs`)
  await expectAccessible(page)
  expect(errors).toEqual([])
  expect(requestedElsewhere()).toEqual([])
})

test('requests are shown, newest first, with the violations of their responses', async (context) => {
  const { items } = await openStudio(context)
  const header = { description: 'New.', required: true, schema: { type: 'string' }, example: 'a' }
  await blockAfter(() => changeSpec(set('paths /tools get responses 200 headers X-New', header)))
  const newest = () => items('requests').first().innerText()
  expect((await send('/tools')).status).toBe(200)
  await expect.poll(newest, waiting).toMatch(/GET\s*\S+\/tools\s*200[\s\S]*x-new/)
  expect((await send('/tools?limit=0')).status).toBe(400)
  await expect.poll(newest, waiting).toMatch(/GET\s*\S+\/tools\?limit=0\s*400/)
})

test('code that cannot be loaded is reported and not served', async () => {
  const block = await blockAfter(() => change(handlers, (text) => `${text}\nreturn return`))
  expect(block).toMatch(new RegExp(`^  code +${handlers}:\\d+:\\d+ `, 'm'))
  expect(block).toMatch(
    new RegExp(`^  Broken .*not served\\. .*SyntaxError .* at ${handlers}:\\d+\\.`, 'm'),
  )
  expect(await status('/tools')).toBe(200)
  await restore()
  expect(await status('/tools')).toBe(200)
})

test('a service that ends is reported with its error; the next save starts it', async () => {
  const ending = `setTimeout(() => { throw new Error('lost') }, 2_000)`
  const reason = String.raw`the service ended by itself \(Error: lost at ${handlers}:\d+\)`
  const broken = new RegExp(`^  Broken .*not served\\. .*${reason}`, 'm')
  await blockAfter(() => change(handlers, (text) => `${text}\n${ending}\n`), broken)
  await restore()
  expect(await status('/tools')).toBe(200)
})

test('a configuration or a rule of the linter that cannot be loaded is reported at its line', async (context) => {
  const { items } = await openStudio(context)
  const block = await blockAfter(() =>
    change('redocly.yaml', (text) => text.replace(/^plugins:/m, 'plugins')),
  )
  expect(block).toMatch(/^ {2}spec +redocly\.yaml:\d+:1 configuration can not read /m)
  await items('errors').filter({ hasText: 'configuration' }).waitFor()
  await restore()
  // The thread of the linter loads this one by itself.
  const rule = 'scripts/lint/common-parts.ts'
  expect(await blockAfter(() => change(rule, (text) => `${text})))`))).toMatch(
    /^ {2}spec +scripts\/lint\/common-parts\.ts:\d+:1 configuration /m,
  )
})

test('an operation that was renamed is named first; while the spec is invalid no code is reported', async () => {
  const first = await blockAfter(() => changeSpec(set('paths /tools post operationId', 'addTool')))
  const [row = ''] = first.match(/^ {2}code .*$/m) ?? []
  expect(row).toContain('`createTool` is unknown; the operations are ')
  expect(row).toContain('addTool')
  const next = await blockAfter(() => changeSpec(set('info unknown', 1)))
  expect(next).toMatch(/^ {2}spec .* Property `unknown`/m)
  expect(next).not.toMatch(/^ {2}code /m)
})
