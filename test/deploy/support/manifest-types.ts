import { resolve } from 'node:path'
import ts from 'typescript'
import type { KubernetesObject } from './deployment.ts'

const file = resolve(import.meta.dirname, 'manifests.ts')

/** What the types of the Kubernetes API say of objects: unknown, missing and mistyped fields. */
export function checkTypes(objects: readonly KubernetesObject[]): string[] {
  const code = objects.map(toCode).join('\n')
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    lib: ['lib.esnext.d.ts'],
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  host.getSourceFile = (name, version, ...rest) =>
    name === file ? ts.createSourceFile(name, code, version) : read(name, version, ...rest)
  const program = ts.createProgram([file], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

// The module is the group's name without its domain: `networking.k8s.io/v1` is networking/v1.
function toCode(object: KubernetesObject, index: number): string {
  const [version = '', group = 'core'] = object.apiVersion.split('/').reverse()
  const type = `import('kubernetes-types/${group.replace(/\..*/, '')}/${version}.d.ts').${object.kind}`
  return `export const object${index}: ${type} = ${JSON.stringify(object)}`
}
