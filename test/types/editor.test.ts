import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { operations } from '../../generated/operations.ts'

const methods = Object.values(operations)
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

test('an editor marks the deprecated methods', () => {
  expect(editor.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([])
  const marked = editor
    .getSuggestionDiagnostics(file)
    .filter(({ reportsDeprecated }) => reportsDeprecated)
    .map(({ start, length }) => code.slice(start, start + length))
  const deprecated = methods.filter((method) => 'deprecation' in method)
  expect(marked).toEqual(deprecated.map(({ operationId }) => operationId))
})
