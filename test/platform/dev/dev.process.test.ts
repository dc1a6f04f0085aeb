import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
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
  findParameter,
  rename as renameKey,
  set,
} from '../../helpers/spec-edit.ts'
import { readFolder } from '../pipeline/support/workspace.ts'
import { handlers, shareLoop, spec } from './support/dev-loop.ts'

const loop = await shareLoop()
const { copy, origin, send, status, changeSpec, blockAfter, openStudio } = loop
const { released, description, highest } = loop
const version: string = released.info.version
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

test('lint errors have their place in the terminal and in the studio; the last valid spec is served', async (context) => {
  const generated = await readFolder(join(copy, 'generated'))
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
  expect(await readFolder(join(copy, 'generated'))).toEqual(generated)
  expect(await status(`/tools?limit=${highest}`)).toBe(200)

  const { page, items, errors, isShown } = await openStudio(context, /^\d+ errors in spec/)
  for (const list of ['breaking', 'compatible', 'code']) {
    expect(await isShown(list), list).toBe(false)
  }
  await page.getByText('is known once the errors are fixed').waitFor()
  const count = await items('errors').count()
  const title = `${count} errors in spec/openapi.yaml`
  expect(await page.title()).toBe(`✗ ${title} – ${released.info.title}`)
  expect(await page.locator('#icon').getAttribute('href')).toBe('/icon-bad.svg')
  expect(await items('steps').allInnerTexts()).toEqual([`Fix ${title}. Show`])
  const findings = (await items('errors').allInnerTexts()).join('\n')
  for (const text of [...places, markup]) {
    expect(findings).toContain(text)
  }
  expect(await page.locator('main img').count()).toBe(0)
  const verdict = `The last valid version is served at ${origin}.`
  expect(await page.getByRole('status').first().innerText()).toContain(verdict)

  const finding = items('errors').filter({ has: page.locator('mark', { hasText: 'sumary' }) })
  const place = String(places[1])
  const link = finding.getByRole('link', { name: place, exact: true })
  expect(await link.getAttribute('href')).toBe(`vscode://file${copy}/${place}`)
  expect(await finding.locator('.marked').innerText()).toMatch(/^ +sumary: /)
  await finding.getByRole('button').click()
  await finding.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(place)
  await expectAccessible(page)

  // An update keeps the finding where it is on the screen, and its focus, though it has another line now.
  await page.setViewportSize({ width: 390, height: 300 })
  await link.focus()
  const position = () =>
    page.evaluate(() => document.activeElement?.getBoundingClientRect().top ?? Number.NaN)
  const before = await position()
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
  await blockAfter(() => changeSpec(renameKey(`info ${markup}`, 'x-known'), set('info x-new', 1)))
  await expect.poll(() => items('errors').count(), waiting).toBe(count - 1)
  const [line = '', column = ''] = place.match(/\d+/g) ?? []
  const moved = `spec/openapi.yaml:${Number(line) + 1}:${column}`
  expect(await page.evaluate(() => document.activeElement?.textContent ?? '')).toBe(moved)
  // A browser scrolls by whole pixels.
  expect(Math.abs((await position()) - before)).toBeLessThanOrEqual(1)
  expect(errors).toEqual([])
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

  await page.getByRole('heading', { name: `needs ${major + 1}.0.0` }).waitFor()
  expect((await items('code').allInnerTexts()).join()).toMatch(/server\/\S+\.ts:\d+:\d+/)
  expect((await items('breaking').allInnerTexts()).join()).toMatch(/limit.*rejected with 400/s)
  const steps = await items('steps').allInnerTexts()
  expect(steps).toEqual([
    expect.stringMatching(new RegExp(`^Write version: ${major + 1}\\.0\\.0\\.\\s`)),
    expect.stringMatching(/^Change \d+ lines of code\. Show$/),
  ])
  const operation = items('operations').filter({ hasText: 'listTools1' })
  expect(await operation.innerText()).toContain('sampled')
  expect(await page.locator('body').innerText()).not.toContain('undefined')
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
    if (text.includes(`"processing":["${spec}"]`)) {
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
