import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { expectAccessible } from '../../helpers/browser/visit.ts'
import { runInShell, startProgram } from '../../helpers/program.ts'
import { atKey, locate, rename, set } from '../pipeline/support/spec-edit.ts'
import { readFolder } from '../pipeline/support/workspace.ts'
import { addUnhandled, changeLimit, handlers, shareLoop } from './support/dev-loop.ts'

// Its first API key has to work after every save.
const shared = shareLoop({ DATABASE_URL: 'sqlite::memory:' })
const { copy, loop, original, highest, change, changeSpec, blockAfter, restore, openStudio } =
  shared
const released = () => parse(original()).info.version
const patiently = { timeout: 120_000, interval: 50 }

/** Returns the processes that run in the copy. */
async function processes(): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,args='])
  return stdout.split('\n').filter((line) => line.includes(copy()))
}

test('a compatible change is served, with the version that it needs; with that, its block is one line', async () => {
  const { status } = loop()
  expect(await status(`/pets?limit=${highest() + 1}`)).toBe(400)
  const block = await blockAfter(() => changeSpec(changeLimit(1)))
  const [major, minor] = released().split('.').map(Number)
  expect(block).toMatch(/^ {2}minor +\S.*limit/m)
  expect(block).toContain(`${major}.${minor + 1}.0 is needed after ${released()} (`)
  expect(block).toMatch(new RegExp(`^  version +.*, not ${released()}$`, 'm'))
  expect(await status(`/pets?limit=${highest() + 1}`)).toBe(200)
  expect(await status(`/pets?limit=${highest() + 2}`)).toBe(400)

  const next = await blockAfter(() => changeSpec(set('info version', '99.0.0')))
  expect(next.trim().split('\n')).toEqual([
    expect.stringMatching(
      /^\d\d:\d\d:\d\d {2}spec\/openapi\.yaml {2}ok {2}minor since \S+ {2}\d+\.\d\d s: lint \d+\.\d\d, /,
    ),
  ])
  expect(next).toContain(`since ${released()} `)
})

test('while all is well, the studio page shows the operations and the reference, and is accessible', async (context) => {
  const { page, entries, errors, requestedElsewhere } = await openStudio(context)
  for (const panel of ['lint', 'code', 'diff']) {
    expect(await entries(panel).count(), panel).toBe(0)
    expect(await page.locator(`#${panel} .empty`).isVisible(), panel).toBe(true)
  }
  expect(await page.locator('#diff').innerText()).toContain('Nothing changed since')
  expect(await page.title()).toBe('Studio')
  const { info, paths } = parse(original())
  const listed = await entries('operations').allInnerTexts()
  const operations = Object.values<object>(paths).flatMap((item) => Object.values(item))
  for (const { operationId, deprecated } of operations) {
    const [text = ''] = listed.filter((one) => one.includes(operationId))
    expect(text).toContain('implemented')
    expect(text.includes('deprecated, will be removed on')).toBe(deprecated === true)
  }
  await page.frameLocator('iframe').getByRole('heading', { level: 1, name: info.title }).waitFor()
  await page.getByRole('link', { name: 'createPet' }).click()
  const hashes = () => page.frames().map((frame) => new URL(frame.url()).hash)
  await expect
    .poll(hashes, { timeout: 60_000 })
    .toContainEqual(expect.stringMatching(/^#.*createpet$/i))
  await expectAccessible(page)
  // The page may have been requested before it was built.
  expect(errors.filter((error) => !error.includes('status of 404'))).toEqual([])
  expect(requestedElsewhere()).toEqual([])
})

test('lint errors have file, line and column in the terminal and in the studio; the last good spec is served', async (context) => {
  const before = await readFolder(join(copy(), 'generated'))
  let text = ''
  const misspelled = rename('paths /pets get summary', 'sumary')
  const block = await blockAfter(async () => {
    text = await changeSpec(misspelled, set('info unknown', 1), changeLimit(-1))
  })
  const places = ['info unknown', 'paths /pets get sumary'].map((key) => {
    const { line, col } = locate(text, atKey(key))
    return `spec/openapi.yaml:${line}:${col}`
  })
  for (const place of places) expect(block).toMatch(new RegExp(`^  spec +${place} `, 'm'))
  expect(block).toMatch(/^ {2}spec .*sumary/m)
  // What an invalid spec would change for clients is not reported.
  expect(block).not.toMatch(/breaking|is needed/)
  expect(await readFolder(join(copy(), 'generated'))).toEqual(before)
  expect(await loop().status(`/pets?limit=${highest()}`)).toBe(200)

  const { page, entries, errors } = await openStudio(context, 'Broken')
  const findings = (await entries('lint').allInnerTexts()).join('\n')
  for (const place of places) expect(findings).toContain(place)
  const verdict = `The last good service keeps answering at ${loop().origin}.`
  expect(await page.locator('#verdict').innerText()).toContain(verdict)
  expect(await page.title()).toBe('✗ Studio')
  const finding = page.locator('#lint').getByRole('button').filter({ hasText: 'sumary' })
  const place = places[1]?.replace(/:\d+$/, '')
  await finding.click()
  await finding.getByText(`Copied ${place}`).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(place)
  await expectAccessible(page)

  // An update is announced, and keeps the keyboard focus.
  await finding.focus()
  const count = await entries('lint').count()
  await blockAfter(() => changeSpec(rename('info unknown', 'x-known')))
  await expect.poll(() => entries('lint').count(), { timeout: 60_000 }).toBe(count - 1)
  expect(await page.locator('#announcement').innerText()).toContain(verdict)
  expect(await page.evaluate(() => document.activeElement?.textContent ?? '')).toContain(place)
  expect(errors).toEqual([])
})

test('a breaking change, the code to change and an operation without a handler are reported, and served', async (context) => {
  const { page, entries } = await openStudio(context)
  const save = () => changeSpec(set('components parameters Limit name', 'size'), addUnhandled)
  const block = await blockAfter(save, /listPets1: no handler yet[\s\S]* s: /)
  expect(block).toMatch(/^ {2}breaking +\S.*limit/m)
  const [major] = released().split('.').map(Number)
  expect(block).toContain(`${major + 1}.0.0 is needed after ${released()} (`)
  const code = await Promise.all(
    [...block.matchAll(/^ {2}code +(\S+):(\d+):\d+ (.*)$/gm)].map(
      async ([, file = '', line, message = '']) => {
        expect(message.length).toBeLessThanOrEqual(160)
        const lines = (await readFile(join(copy(), file), 'utf8')).split('\n')
        return `${file}: ${lines[Number(line) - 1]}: ${message}`
      },
    ),
  )
  expect(code).toContainEqual(expect.stringMatching(/^server\/.*limit/))
  const unhandled = new RegExp(`^${handlers}: .*(return {|createHandlers).*listPets1`)
  expect(code).toContainEqual(expect.stringMatching(unhandled))

  const { send, status } = loop()
  expect(await status('/copy1/pets')).toBe(200)
  expect(await status('/copy1/pets?size=0')).toBe(400)
  const unavailable = await send('/copy1/pets', { headers: { Prefer: 'code=503' } })
  expect(unavailable.status).toBe(503)
  expect(unavailable.headers.get('Preference-Applied')).toBe('code=503')
  expect(await status('/pets/1')).toBe(404)

  await page.locator('#verdict').getByText('It is served already').waitFor()
  await page.getByText('Code to change', { exact: true }).first().waitFor()
  expect((await entries('code').allInnerTexts()).join()).toMatch(/server\/\S+\.ts:\d+:\d+/)
  const [first = '', ...others] = await entries('diff').allInnerTexts()
  expect(first).toMatch(/^breaking [\s\S]*limit/)
  expect(others.join()).toMatch(/minor GET \/copy1\/pets/)
  const advice = new RegExp(`Set info\\.version to \\d+\\.0\\.0; it is ${released()}\\.`)
  expect(await page.locator('#diff').innerText()).toMatch(advice)
  const mocked = entries('operations').filter({ hasText: 'listPets1' })
  expect(await mocked.innerText()).toContain('mocked')
})

test('code that cannot be loaded is reported and not served', async () => {
  const save = () => change(handlers, (text) => `${text}\nreturn return`)
  // What the spec before violated in responses may be printed late.
  const block = await blockAfter(save, /not served[\s\S]* s: .*\n/)
  expect(block).toMatch(new RegExp(`^  code +${handlers}:\\d+:\\d+ `, 'm'))
  expect(block).toMatch(/^ {2}not served +.*SyntaxError/m)
  expect(await loop().status('/pets')).toBe(200)
  await restore()
  expect(await loop().status('/pets')).toBe(200)
})

test('the first API key is printed once, with a curl command that works after every save', async () => {
  expect(
    loop()
      .said()
      .match(/There was no API key yet/g),
  ).toHaveLength(1)
  const [curl = ''] = /curl .+/.exec(loop().said()) ?? []
  expect(curl).toMatch(/\/pets$/)
  const shell = await runInShell(curl.replace('curl', 'curl --silent --show-error --include'))
  expect(shell).toMatchObject({ status: 0, output: expect.stringMatching(/^HTTP\/1.1 200 /) })
})

test('Ctrl-C ends npm run dev with status 0; then, and when it is killed, no process is left', async () => {
  expect((await processes()).length).toBeGreaterThan(1)
  // An open event stream does not prevent that.
  const stream = await fetch(`${loop().origin}/studio/events`)
  expect(await loop().kill('SIGINT')).toMatchObject({ status: 0 })
  expect(await processes()).toEqual([])
  await stream.body?.cancel().catch(() => undefined)

  const env = { PORT: '0' }
  const killed = startProgram(`${copy()}/scripts/dev.ts`, [], { cwd: copy(), env })
  await expect.poll(async () => (await processes()).length, patiently).toBeGreaterThan(2)
  await killed.kill('SIGKILL')
  await expect.poll(processes, patiently).toEqual([])
})

test('invalid variables, or a port in use, end npm run dev with their lines', async () => {
  const taken = createServer()
  const port = await new Promise<string>((resolve) => {
    taken.listen(0, '127.0.0.1', () => resolve(String(Object(taken.address()).port)))
  })
  onTestFinished(() => void taken.close())
  for (const [env, complaint] of [
    [
      { PORT: 'abc', DATABASE_URL: 'mysql:x' },
      /^PORT is "abc"\. Allowed: .*\nDATABASE_URL is "mysql:x"\. .*\n$/,
    ],
    [{ PORT: port }, /^Cannot listen: .*EADDRINUSE.*Set HOST and PORT .*\n$/],
  ] as const) {
    const ended = await startProgram(`${copy()}/scripts/dev.ts`, [], { cwd: copy(), env }).ended
    expect(ended).toMatchObject({ output: '', complaint: expect.stringMatching(complaint) })
    expect(ended.status).not.toBe(0)
  }
  expect(await processes()).toEqual([])
})
