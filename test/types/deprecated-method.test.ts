import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const client = resolve(import.meta.dirname, '../../client/index.ts')
const file = resolve(import.meta.dirname, 'somebody.ts')
const code = `
import type { AnimalStore } from '${client}'
export const use = (store: AnimalStore) => [
  store.getPet(1),
  store.listPets(),
  store.createPet({ name: 'Rex', categoryId: 7 }),
]
`

/** What an editor knows of a program that uses the client. */
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

test('an editor strikes the deprecated method through, and says what to use instead', () => {
  const editor = openEditor()
  expect(editor.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([])
  const struck = editor
    .getSuggestionDiagnostics(file)
    .filter(({ reportsDeprecated }) => reportsDeprecated)
    .map(({ start, length }) => code.slice(start, start + length))
  expect(struck).toEqual(['getPet'])

  const tagsOf = (method: string) =>
    editor.getQuickInfoAtPosition(file, code.indexOf(method))?.tags ?? []
  const [tag] = tagsOf('getPet')
  expect(tag?.name).toBe('deprecated')
  expect(ts.displayPartsToString(tag?.text)).toBe(
    'It goes on 2030-12-05. Use GET /pets with the status filter instead.',
  )
  expect([...tagsOf('listPets'), ...tagsOf('createPet')]).toEqual([])
})

test('an editor shows the summary of an operation at its method', () => {
  const editor = openEditor()
  const info = editor.getQuickInfoAtPosition(file, code.indexOf('listPets'))
  expect(ts.displayPartsToString(info?.documentation)).toBe('List animals')
})
