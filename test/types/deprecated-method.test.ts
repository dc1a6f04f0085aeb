import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import contract from '../../generated/openapi.json' with { type: 'json' }
import { operations } from '../../generated/operations.ts'

const client = resolve(import.meta.dirname, '../../client/index.ts')
const file = resolve(import.meta.dirname, 'somebody.ts')
interface Method {
  readonly operationId: string
  readonly deprecation?: {
    readonly sunset: string
    readonly replacedBy: { readonly description: string }
  }
}

const methods: readonly Method[] = Object.values(operations)
const code = `
import type { AnimalStore } from '${client}'
export const use = (store: AnimalStore) => [
${methods.map(({ operationId }) => `  store.${operationId},\n`).join('')}]
`

/** Opens a program that uses the client as an editor does. */
function openEditor(): ts.LanguageService {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    skipLibCheck: true,
    types: [],
  }
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot(name) {
      const text = name === file ? code : ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => import.meta.dirname,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  })
}

test('an editor marks the deprecated methods, with the sunset and the replacement', () => {
  const editor = openEditor()
  expect(editor.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([])
  const marked = editor
    .getSuggestionDiagnostics(file)
    .filter(({ reportsDeprecated }) => reportsDeprecated)
    .map(({ start, length }) => code.slice(start, start + length))
  const deprecated = methods.filter(({ deprecation }) => deprecation !== undefined)
  expect(marked).toEqual(deprecated.map(({ operationId }) => operationId))

  for (const { operationId, deprecation } of methods) {
    const info = editor.getQuickInfoAtPosition(file, code.indexOf(operationId))
    const tags = info?.tags?.map(({ name, text }) => `${name}: ${ts.displayPartsToString(text)}`)
    const { sunset, replacedBy } = deprecation ?? {}
    const text = `deprecated: It will be removed on ${sunset}. Use ${replacedBy?.description} instead.`
    expect(tags ?? []).toEqual(deprecation === undefined ? [] : [text])
  }
})

test('an editor shows the summary of an operation at its method', () => {
  const info = openEditor().getQuickInfoAtPosition(file, code.indexOf('listPets'))
  const { summary } = contract.paths['/pets'].get
  expect(ts.displayPartsToString(info?.documentation)).toBe(summary)
})
