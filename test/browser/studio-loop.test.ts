import { expect, test } from 'vitest'
import type { LoopState } from '../../scripts/dev/loop-state.ts'
import { broken, busy, calm } from './support/loop-states.ts'
import { serveStudio } from './support/studio-server.ts'
import { expectAccessible, visit } from './support/visit.ts'

test('a broken spec is said in a sentence, with who answers meanwhile', async (context) => {
  const { origin, tell } = await serveStudio(calm)
  const { page } = await visit(context)
  await page.goto(`${origin}/studio`)
  await page.getByText('Healthy').waitFor()
  const verdict = page.locator('#verdict')
  tell({ ...broken, service: origin })
  await verdict.waitFor({ state: 'visible' })
  const words = `1 error in the spec and 1 place in the code to change. The last good service keeps answering at ${origin}.`
  expect(await verdict.innerText()).toBe(words)
  expect(await page.locator('#announcement').innerText()).toBe(words)
  expect(await page.title()).toBe('✗ Studio')
  tell({ ...busy, run: 9, service: origin })
  await verdict.waitFor({ state: 'hidden' })
  expect(await page.title()).toBe('Studio')
})

test('a loop that is gone is said, and found again when it is back', async (context) => {
  const { origin, tell, stop, start, startRefusing, timesDocsWereRead } = await serveStudio(calm)
  const { page } = await visit(context)
  await page.goto(`${origin}/studio`)
  tell({ ...busy, run: 1, service: origin })
  await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor()
  await stop()
  await page.getByText('The loop is gone. Start it again with: npm run dev.').first().waitFor()
  expect(await page.locator('#diff .entries > li').count(), 'what was known stays').toBe(2)
  // Browsers give up on events that are refused; the page does not.
  await startRefusing()
  await page.waitForResponse((response) => response.status() === 503)
  await stop()
  tell({ ...calm, run: 1, service: origin })
  await start()
  await page.getByText('Healthy').waitFor()
  expect(await page.locator('#verdict').isVisible()).toBe(false)
  expect(await page.locator('#diff .entries > li').count()).toBe(0)
  await expect.poll(timesDocsWereRead, { timeout: 10_000 }).toBe(2)
})

test('the reference is shown beside the panels, and read anew after a run that went well', async (context) => {
  const { origin, tell, timesDocsWereRead } = await serveStudio(calm)
  const { page } = await visit(context)
  await page.goto(`${origin}/studio`)
  await page.getByText('It comes with the first service that starts.').waitFor()
  const title = page.frameLocator('iframe').getByRole('heading', { level: 1 })
  tell({ ...calm, service: origin })
  await title.waitFor()
  expect(timesDocsWereRead()).toBe(1)
  tell({ ...broken, service: origin })
  await page.getByText('Broken').waitFor()
  expect(timesDocsWereRead()).toBe(1)
  tell({ ...calm, run: 9, service: origin })
  await expect.poll(timesDocsWereRead, { timeout: 10_000 }).toBe(2)
  await title.waitFor()
  // A request is no run.
  tell({ ...busy, run: 9, service: origin })
  await page.getByText('/v1/things/42').waitFor()
  expect(timesDocsWereRead()).toBe(2)

  await page.getByRole('link', { name: 'getThing' }).click()
  await expect
    .poll(() => page.frames().map((frame) => new URL(frame.url()).hash))
    .toContain('#getThing')
})

const markup = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`

test('markup in anything that the loop says is shown as text', async (context) => {
  const place = { file: markup, line: 1, column: 1, message: `\`${markup}\`` }
  const hostile: LoopState = {
    ...busy,
    saved: [markup],
    lint: [{ ...place, rule: markup, severity: 'error' }],
    code: [place],
    diff: {
      step: 'major',
      base: { version: markup, ref: markup },
      current: { version: markup },
      needed: markup,
      changes: [
        { breaking: true, step: 'major', what: markup, consequence: markup, place: markup },
      ],
    },
    operations: [
      {
        operationId: markup,
        method: markup,
        path: markup,
        state: 'mocked',
        sunset: markup,
        deprecated: true,
      },
    ],
    requests: [
      {
        at: markup,
        id: markup,
        method: markup,
        path: markup,
        status: 200,
        milliseconds: 1,
        violations: [markup],
      },
    ],
  }
  const { origin } = await serveStudio(hostile)
  const { page, complaints } = await visit(context)
  await page.goto(`${origin}/studio`)
  await page.getByText('run 7').waitFor()
  expect(await page.locator('main img, main script, header img, header script').count()).toBe(0)
  for (const panel of ['lint', 'code', 'diff', 'operations', 'requests']) {
    expect(await page.locator(`#${panel} .entries`).innerText(), panel).toContain(markup)
  }
  expect(await page.title()).toBe('Studio')
  expect(complaints).toEqual([])
})

test('a contract of a thousand operations and a busy service do not hold the page up', async (context) => {
  const many = Array.from({ length: 1_000 }, (_, index) => ({
    operationId: `operation${index}`,
    method: 'get',
    path: `/things/${index}`,
    state: 'implemented' as const,
    deprecated: false,
  }))
  const { origin, tell } = await serveStudio({ ...calm, operations: many })
  const { page } = await visit(context)
  await page.goto(`${origin}/studio`)
  await page.getByText('operation999').waitFor()
  const [request] = busy.requests
  if (request === undefined) throw new Error('There is no request to repeat.')
  for (let count = 1; count <= 200; count += 1) {
    const requests = Array.from({ length: count }, (_, index) => ({
      ...request,
      id: `request-${index}`,
    }))
    tell({ ...calm, operations: many, requests })
  }
  await page.locator('#requests .entries > li').nth(199).waitFor()
  expect(await page.locator('#operations .entries > li').count()).toBe(1_000)
  await expectAccessible(page)
})
