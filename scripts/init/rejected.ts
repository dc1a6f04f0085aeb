import { BaseResolver, lintDocument, Source } from '@redocly/openapi-core'
import { type JsonObject, pointAt, pointerKeys, toPointer } from '../pipeline/description.ts'
import { readConfig } from '../pipeline/lint.ts'
import { methods } from '../pipeline/operation-entries.ts'
import { type Conversion, type Draft, follow, toDraft, visitObjects } from './draft.ts'

/** The rules that reject what the service does not do, or what is not valid beside it. */
const rules =
  /^service\/(?:known-keywords|known-format|linear-pattern|default-valid|header-example-valid)$|^no-invalid-.*-examples?$/

/** Removes keywords, formats, patterns, defaults and examples that the linter rejects. */
export async function removeRejected({ root, report }: Conversion): Promise<void> {
  inlineExamples(root)
  // What is removed may have hidden something else.
  for (let round = 0, removed = true; removed && round < 5; round++) {
    removed = false
    for (const { rule, message, pointer } of await lintConverted(root)) {
      const isUnknown = rule === 'struct' && /^Property .* is not expected/.test(message)
      if (!rules.test(rule) && !isUnknown) continue
      // What is wrong is in the schema, and reported there, too; this is reported for the whole of it.
      if (message.startsWith('Example validation errored')) continue
      const keys = partOf(pointerKeys(pointer))
      const holder = keys.length === 1 ? root : pointAt(root, toPointer(keys.slice(0, -1)))
      const last = keys.at(-1) ?? ''
      if (!(last in toDraft(holder))) continue
      delete toDraft(holder)[last]
      removed = true
      report(whereOf(keys), `${last} removed. ${withoutAdvice(message)}`)
    }
  }
}

/** Returns what the rules of the project find in a converted description, which is no file yet. */
export async function lintConverted(root: JsonObject) {
  const source = new Source('description', JSON.stringify(root))
  const document = { source, parsed: structuredClone(root) }
  const [config, externalRefResolver] = [await readConfig('strict'), new BaseResolver()]
  const problems = await lintDocument({ document, config, externalRefResolver })
  return problems.map(({ ruleId: rule, message, location: [at] }) => {
    const pointer = at?.pointer ?? '#/'
    const { $ref } = toDraft(pointAt(root, pointer.replace(/\/\$ref$/, '')))
    const isBroken = rule === 'no-unresolved-refs' && $ref !== undefined
    return { rule, pointer, message: isBroken ? `Can't resolve ${$ref}` : message }
  })
}

/** Writes shared examples where they are used: one may be valid in one place alone. */
function inlineExamples(root: Draft): void {
  visitObjects(root, ({ examples }) => {
    for (const [name, example] of Object.entries(toDraft(examples))) {
      const isShared = String(toDraft(example)['$ref']).startsWith('#/components/examples/')
      if (isShared) toDraft(examples)[name] = structuredClone(follow(root, example))
    }
  })
}

/** Returns the keys of the example that some keys lead into; others as they are. */
function partOf(keys: readonly string[]): readonly string[] {
  const isExample = (key: string, index: number) =>
    /^examples?$/.test(key) && keys[index - 1] !== 'properties'
  const at = keys.findIndex(isExample)
  if (at === -1) return keys
  const isNamed = keys[at] === 'examples' && !/^\d*$/.test(keys[at + 1] ?? '')
  return keys.slice(0, isNamed ? at + 2 : at + 1)
}

function withoutAdvice(message: string): string {
  const text = message.replaceAll(/\s+/g, ' ').trim()
  return text.replace(/; (?:remove|use|rewrite|it is for) .*$/, '.')
}

/** Returns the operation that keys lead into, or the component, for people. */
function whereOf([section = '', name = '', part = '', ...rest]: readonly string[]): string {
  if (section === 'components') return toPointer([section, name, part])
  if (section !== 'paths') return toPointer([section, name, part, ...rest].filter(Boolean))
  return methods.includes(part) ? `${part.toUpperCase()} ${name}` : name
}
