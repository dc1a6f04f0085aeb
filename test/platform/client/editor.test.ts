import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { project } from '../../helpers/program.ts'

/** A program that uses the client of the fixture API. */
const text = `import type { ErrorBody, ListToolsQuery, ToolLibrary } from './client.ts'
declare const client: ToolLibrary
export const query: ListToolsQuery = { limit: 5, kind: 'saw' }
export const page = client.listTools({ limit: 5 }, { headers: { 'X-Trace': 'a' } })
export const next = (await page).next
export const tool = client.getTool(1)
export const loan = client.getLoan('ann', 7)
export const body = null as unknown as ErrorBody<404>
export const headers = page.withResponse().then(({ headers }) => headers)
`
const file = join(project, 'test/fixture-api/editor.ts')
const config = ts.getParsedCommandLineOfConfigFile(join(project, 'tsconfig.json'), undefined, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: () => undefined,
})
const service = ts.createLanguageService({
  getCompilationSettings: () => config?.options ?? {},
  getScriptFileNames: () => [file, join(project, 'library-types.d.ts')],
  getScriptVersion: () => '1',
  getScriptSnapshot(name) {
    return ts.ScriptSnapshot.fromString(name === file ? text : readFileSync(name, 'utf8'))
  },
  getCurrentDirectory: () => project,
  getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  fileExists: (name) => name === file || ts.sys.fileExists(name),
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
})

/** Returns where a part of the program begins. */
function find(part: string): number {
  const at = text.indexOf(part)
  expect(at, part).toBeGreaterThan(0)
  return at
}

/** Returns what an editor shows of a name, at the beginning of a part of the program: its type, and its text. */
function hover(part: string) {
  const info = service.getQuickInfoAtPosition(file, find(part))
  const tags = info?.tags?.map((tag) => ts.displayPartsToString(tag.text)) ?? []
  return { type: ts.displayPartsToString(info?.displayParts), text: tags.join('\n') }
}

/** Returns what an editor shows of the argument at the beginning of a part of the program. */
function showArgument(part: string) {
  const help = service.getSignatureHelpItems(file, find(part), undefined)
  const parameter = help?.items[0]?.parameters[help.argumentIndex]
  return {
    type: ts.displayPartsToString(parameter?.displayParts),
    text: ts.displayPartsToString(parameter?.documentation),
  }
}

test('an editor shows the text, the limits and the default of a query parameter', () => {
  for (const part of ['limit: 5, kind', 'limit: 5 }, {']) {
    const { text } = hover(part)
    expect(text).toContain('Maximum number of tools to return. From 1 to 50; default 10.')
  }
})

test('an editor shows all parameters at the arguments query and options', () => {
  const query = showArgument('{ limit: 5 }, {')
  expect(query.type).toBe('query?: ListToolsQuery')
  expect(query.text).toContain('- `limit`: Maximum number of tools to return. From 1 to 50')
  expect(query.text).toContain('- `ids`: Returns only these tools')

  const options = showArgument(`{ headers: { 'X`)
  expect(options.text).toContain('- `headers["X-Trace"]`: Names the visit')
  expect(options.text).toContain('- `cookies["shelf"]`: The shelf that')
  expect(showArgument('1)').text).toBe('The identifier of the tool. At least 1.')
})

test('an editor shows types by their names, and what is in them, without helper types', () => {
  expect(hover('query:').type).toBe('const query: ListToolsQuery')
  expect(hover('next =').type).toBe('const next: ListToolsQuery | undefined')
  expect(hover('loan =').type).toBe('const loan: Promise<Loan> & CallResult')
  expect(hover('body =').type).toBe('const body: NotFoundError')
  expect(hover('headers = page').type).toBe('const headers: Promise<ListToolsResponseHeaders>')
  expect(hover('ListToolsQuery =').type).toContain('{\n    limit?: number;\n    cursor?: string;\n')
})
