import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import contract from '../../generated/openapi.json' with { type: 'json' }
import { operations } from '../../generated/operations.ts'

interface Method {
  readonly operationId: string
  readonly deprecation?: {
    readonly sunset: string
    readonly replacedBy: { readonly description: string }
  }
}

const methods: readonly Method[] = Object.values(operations)
const file = resolve(import.meta.dirname, 'code.ts')
const code = `
import type { AnimalStore } from '${resolve(import.meta.dirname, '../../client/index.ts')}'
export const use = (store: AnimalStore) => [
${methods.map(({ operationId }) => `  store.${operationId},\n`).join('')}]
`
const options: ts.CompilerOptions = {
  ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, skipLibCheck: true },
  ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext, types: [] },
}

const editor = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => true,
  getCompilationSettings: () => options,
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot(name) {
    const text = name === file ? code : ts.sys.readFile(name)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => name === file || ts.sys.fileExists(name),
})

test('an editor marks the deprecated methods, with the sunset and the replacement', () => {
  expect(editor.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([])
  const marked = editor
    .getSuggestionDiagnostics(file)
    .filter(({ reportsDeprecated }) => reportsDeprecated)
    .map(({ start, length }) => code.slice(start, start + length))
  const deprecated = methods.filter(({ deprecation }) => deprecation !== undefined)
  expect(marked).toEqual(deprecated.map(({ operationId }) => operationId))

  for (const { operationId, deprecation } of methods) {
    const info = editor.getQuickInfoAtPosition(file, code.indexOf(operationId))
    const tags = info?.tags
      ?.filter(({ name }) => name === 'deprecated')
      .map(({ name, text }) => `${name}: ${ts.displayPartsToString(text)}`)
    const { sunset, replacedBy } = deprecation ?? {}
    const text = `deprecated: It will be removed on ${sunset}. Use ${replacedBy?.description} instead.`
    expect(tags ?? []).toEqual(deprecation === undefined ? [] : [text])
    if (operationId !== 'listPets') continue
    const { summary, description } = contract.paths['/pets'].get
    expect(ts.displayPartsToString(info?.documentation)).toBe(`${summary}\n\n${description}`)
  }
})
