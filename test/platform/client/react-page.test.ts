import { createServer } from 'node:http'
import { join } from 'node:path'
import { dehydrate, QueryClient } from '@tanstack/react-query'
import express from 'express'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createToolLibrary } from '../../fixture-api/client.ts'
import { visit } from '../../helpers/browser/visit.ts'
import { bundle } from '../../helpers/client-package/bundle.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { listen } from '../../helpers/free-port.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { type PageState, ToolsPage, toolsOptions } from './support/tools-page.ts'

/** Renders the page as a server does: fetches five pages of tools, and writes their state as JSON. */
async function renderPage(service: PageState['service']): Promise<string> {
  const queryClient = new QueryClient()
  await queryClient.prefetchInfiniteQuery({ ...toolsOptions(service), pages: 5 })
  const json = JSON.stringify({ service, queries: dehydrate(queryClient) })
  queryClient.clear()

  const state: PageState = JSON.parse(json)
  const content = renderToString(createElement(ToolsPage, state))
  // No text of a tool may end the script.
  const script = json.replaceAll('<', '\\u003c')
  return `<!doctype html><html lang="en"><title>Tools</title><link rel="icon" href="data:,">
    <div id="root">${content}</div>
    <script type="application/json" id="state">${script}</script>
    <script type="module" src="/page.js"></script></html>`
}

test('a page with five pages of a list is rendered on a server, and continues in a browser', async (context) => {
  const { page, errors } = await visit(context)
  const program = join(import.meta.dirname, 'support/tools-page-browser.ts')
  const code = await bundle(createTemporaryFolder(), `import '${program}'`)
  let render = () => Promise.resolve('')
  const application = express()
    .get('/', async (_request, response) => void response.send(await render()))
    .get('/page.js', (_request, response) => void response.type('js').send(code))
  const origin = `http://127.0.0.1:${await listen(createServer(application))}`

  const { baseUrl, apiKey } = await startFixtureService({ CORS_ORIGINS: origin })
  const library = createToolLibrary({ baseUrl, apiKey })
  const names = Array.from({ length: 11 }, (_, index) => `Saw <${index + 1}>`)
  for (const name of names) {
    await library.createTool({ kind: 'saw', name })
  }
  render = () => renderPage({ baseUrl, apiKey })

  const requested: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith(baseUrl)) {
      requested.push(request.method())
    }
  })
  const rendered = await page.request.get(origin)
  expect((await rendered.text()).match(/<li>/g)).toHaveLength(10)
  await page.goto(origin)
  expect(await page.locator('li').allTextContents()).toEqual(names.slice(0, 10))

  // The button has a listener when the page is hydrated; until then, a click does nothing.
  const button = page.locator('button')
  await expect
    .poll(async () => {
      await button.click({ timeout: 1_000 }).catch(() => undefined)
      return page.locator('li').allTextContents()
    })
    .toEqual(names)
  expect(await button.isDisabled()).toBe(true)
  expect(requested.filter((method) => method === 'GET')).toHaveLength(1)
  expect(errors).toEqual([])
})
