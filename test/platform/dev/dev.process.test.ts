import { execFile } from 'node:child_process'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { expectAccessible } from '../../helpers/browser/visit.ts'
import { listen } from '../../helpers/free-port.ts'
import { startProgram } from '../../helpers/program.ts'
import {
  atKey,
  changeLimit,
  createLocator,
  editText,
  findParameter,
  rename as renameKey,
  set,
} from '../../helpers/spec-edit.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { readFolder } from '../pipeline/support/workspace.ts'
import { handlers, shareLoop, spec } from './support/dev-loop.ts'

const loop = await shareLoop()
const { copy, origin, send, status, change, changeSpec, blockAfter, restore, openStudio } = loop
const { released, description, highest } = loop
const version: string = released.info.version
const nameLength = 'components schemas ToolFields properties name maxLength'
const longestName = Number(description.getIn(nameLength.split(' ')))
const waiting = { timeout: 120_000, interval: 50 }

/** Returns the processes that run in the copy. */
async function processes(): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,args='])
  return stdout.split('\n').filter((line) => line.includes(copy))
}

test('a compatible change is served, with the version that it needs; with that, its block is one line', async () => {
  expect(await status(`/tools?limit=${highest + 1}`)).toBe(400)
  const block = await blockAfter(() => changeSpec(changeLimit(1)))
  const [major, minor] = version.split('.').map(Number)
  const needed = `${major}.${Number(minor) + 1}.0`
  expect(block).toMatch(/^ {2}minor +\S.*limit/m)
  expect(block).not.toContain('earlier change')
  expect(block).toMatch(new RegExp(`^  release .* must be at least ${needed}, `, 'm'))
  expect(block).toMatch(
    new RegExp(`^  Version to raise +The last save is served; .* version: ${needed}\\.$`, 'm'),
  )
  expect(await status(`/tools?limit=${highest + 1}`)).toBe(200)
  expect(await status(`/tools?limit=${highest + 2}`)).toBe(400)

  const next = await blockAfter(() => changeSpec(set('info version', '99.0.0')))
  expect(next.trim().split('\n')).toEqual([
    expect.stringMatching(
      /^\d\d:\d\d:\d\d {2}spec\/openapi\.yaml {2}ok {2}minor since \S+ {2}\d+\.\d\d s: /,
    ),
  ])
})

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

test('lint errors have their place in the terminal and in the studio; the last valid spec is served', async (context) => {
  const before = await readFolder(join(copy, 'generated'))
  let text = ''
  const misspelled = renameKey('paths /tools get summary', 'sumary')
  // The page shows it as text.
  const markup = `<img/src=x/onerror=document.title='owned'>`
  const block = await blockAfter(async () => {
    text = await changeSpec(misspelled, set(`info ${markup}`, 1), changeLimit(-1))
  })
  const places = [`info ${markup}`, 'paths /tools get sumary'].map((key) => {
    const { line, col } = createLocator(text)(atKey(key))
    return `spec/openapi.yaml:${line}:${col}`
  })
  for (const place of places) {
    expect(block).toMatch(new RegExp(`^  spec +${place} `, 'm'))
  }
  // What an invalid spec would change for clients is unknown.
  expect(block).not.toMatch(/breaking|must be/)
  expect(block).toMatch(
    /^ {2}Broken +The last save is not served\. The last valid version is served at /m,
  )
  expect(await readFolder(join(copy, 'generated'))).toEqual(before)
  expect(await status(`/tools?limit=${highest}`)).toBe(200)

  const { page, items, errors, countOf } = await openStudio(context, 'Broken')
  for (const list of ['diff', 'gate', 'code']) {
    expect(await countOf(list), list).toBe('unknown')
  }
  expect(await countOf('spec')).toBe(`${await items('spec').count()}`)
  const findings = (await items('spec').allInnerTexts()).join('\n')
  for (const text of [...places, markup]) {
    expect(findings).toContain(text)
  }
  expect(await page.locator('main img').count()).toBe(0)
  const verdict = `The last valid version is served at ${origin}.`
  expect(await page.getByRole('status').first().innerText()).toContain(verdict)
  expect(await page.title()).toBe('✗ Studio')
  const finding = items('spec').filter({ hasText: 'sumary' })
  const place = places[1]?.replace(/:\d+$/, '')
  await finding.getByRole('button').click()
  await finding.getByText(`Copied ${place}`).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(place)
  await expectAccessible(page)

  // An update keeps the keyboard focus.
  await finding.getByRole('button').focus()
  const count = await items('spec').count()
  await blockAfter(() => changeSpec(renameKey(`info ${markup}`, 'x-known')))
  await expect.poll(() => items('spec').count(), waiting).toBe(count - 1)
  expect(await page.evaluate(() => document.activeElement?.textContent ?? '')).toContain(place)
  expect(errors).toEqual([])
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
  const { items, countOf } = await openStudio(context, 'Broken')
  expect((await items('diff').allInnerTexts()).join()).toMatch(/breaking.*no longer allows/s)
  expect((await items('gate').allInnerTexts()).join()).toContain(snippet)
  expect(await countOf('code')).toBe('unknown')
})

test('a breaking change, the code to change and an operation without a handler are reported, and served', async (context) => {
  const { page, items } = await openStudio(context)
  const colour = { in: 'query', name: 'colour', description: 'Its colour.', example: 'red' }
  const add = set('paths /tools/{toolId} get parameters', [
    { ...colour, schema: { type: 'string' } },
  ])
  const get = { ...released.paths['/tools'].get, operationId: 'listTools1' }
  const unhandled = set('paths /copy1/tools', { get })
  const renamed = set(`${findParameter(description, 'limit')} name`, 'size')
  const block = await blockAfter(() => changeSpec(renamed, unhandled, add))
  expect(block).toMatch(/^ {2}breaking +\S.*limit/m)
  const major = Number(version.split('.')[0])
  expect(block).toMatch(new RegExp(`^  release .* must be at least ${major + 1}\\.0\\.0, `, 'm'))
  expect(block).toMatch(/^ {2}sampled +listTools1: no handler yet$/m)
  const unread =
    /^ {2}code +server\/\S+ query parameter `colour` of getTool is not read by any handler$/m
  expect(block).toMatch(unread)
  const [first] = block.match(/^ {2}code .*$/m) ?? []
  expect(first).toMatch(/^ {2}code +server\//)
  expect(block).not.toMatch(/^ {2}code +\S+ .{161}/m)
  expect(block).toMatch(/^ {2}code +server\/\S+ .*limit/m)
  const missing = new RegExp(`^  code +${handlers}:(\\d+):\\d+ .*listTools1`, 'm')
  const line = Number(missing.exec(block)?.[1])
  const lines = (await readFile(join(copy, handlers), 'utf8')).split('\n')
  expect(lines[line - 1]).toMatch(/return {|createHandlers/)

  expect(await status('/copy1/tools')).toBe(200)
  expect(await status('/copy1/tools?size=0')).toBe(400)
  expect((await send('/copy1/tools', { headers: { Prefer: 'code=503' } })).status).toBe(503)
  expect(await status('/tools/1')).toBe(404)

  await page.locator('#state').getByText('Code to change').waitFor()
  expect((await items('code').allInnerTexts()).join()).toMatch(/server\/\S+\.ts:\d+:\d+/)
  expect((await items('diff').allInnerTexts()).join()).toMatch(/breaking.*limit/s)
  expect((await items('gate').allInnerTexts()).join()).toContain(`at least ${major + 1}.0.0`)
  const operation = items('operations').filter({ hasText: 'listTools1' })
  expect(await operation.innerText()).toContain('sampled')
  expect(await page.locator('body').innerText()).not.toContain('undefined')
})

test('while nothing is to be done, the studio page shows the operations and is accessible', async (context) => {
  const { page, items, errors, requestedElsewhere } = await openStudio(context)
  for (const list of ['spec', 'code', 'diff', 'gate']) {
    expect(await items(list).count(), list).toBe(0)
  }
  expect(await page.title()).toBe('Studio')
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
  await items('spec').filter({ hasText: 'configuration' }).waitFor()
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

test('the first API key is printed once; Ctrl-C ends npm run dev with status 0; then, and when it is killed, no process is left', async () => {
  const printed = loop.outputSoFar()
  expect(printed.match(/There was no API key yet/g)).toHaveLength(1)
  expect((await processes()).length).toBeGreaterThan(1)
  // An open event stream does not prevent that.
  const stream = await fetch(`${loop.studio}events`)
  // Nor does a save that is being processed.
  const { body: events } = await fetch(`${loop.studio}events`)
  const saved = join(copy, spec)
  await writeFile(saved, await readFile(saved))
  for await (const text of events?.pipeThrough(new TextDecoderStream()) ?? []) {
    if (text.includes('"title":"Processing"')) {
      break
    }
  }
  expect(await loop.kill('SIGINT')).toMatchObject({ status: 0, errorOutput: '' })
  await expect.poll(processes, waiting).toEqual([])
  await stream.body?.cancel().catch(() => undefined)

  const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:' }
  const killed = startProgram('scripts/dev.ts', [], { project: copy, env })
  await expect.poll(async () => (await processes()).length, waiting).toBeGreaterThan(2)
  await killed.kill('SIGKILL')
  await expect.poll(processes, waiting).toEqual([])
})

test('invalid variables, or a port in use, end npm run dev with their lines', async () => {
  const port = String(await listen(createServer()))
  const before = await processes()
  const invalid = /^PORT is "abc"\. Allowed: .*\nDATABASE_URL is "mysql:x"\. .*\n$/
  for (const [env, errorOutput] of [
    [{ PORT: 'abc', DATABASE_URL: 'mysql:x' }, invalid],
    [{ PORT: port }, /^Cannot listen: .*EADDRINUSE.*Set PORT .*\n$/],
  ] as const) {
    const ended = await startProgram('scripts/dev.ts', [], { project: copy, env }).ended
    expect(ended).toMatchObject({ output: '', errorOutput: expect.stringMatching(errorOutput) })
    expect(ended.status).not.toBe(0)
  }
  await expect.poll(processes, waiting).toEqual(before)
})
