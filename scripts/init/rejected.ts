import { BaseResolver, lintDocument, Source } from '@redocly/openapi-core'
import { pointAt, pointerKeys, toPointer } from '../pipeline/description.ts'
import { readConfig } from '../pipeline/lint.ts'
import { methods } from '../pipeline/operation-entries.ts'
import { type Conversion, type Draft, follow, toDraft, visitObjects } from './draft.ts'

/** The rules that reject what the service does not do, or what is not valid beside it. */
const rules =
  /^service\/(?:known-keywords|known-format|linear-pattern|default-valid|header-example-valid)$|^no-invalid-.*-examples?$/

/** Removes keywords, formats, patterns, defaults and examples that the linter rejects. */
export async function removeRejected({ root, report }: Conversion): Promise<void> {
  const config = await readConfig('strict')
  inlineExamples(root)
  // What is removed may have hidden something else.
  for (let round = 0, removed = true; removed && round < 5; round++) {
    removed = false
    const source = new Source('description', JSON.stringify(root))
    const document = { source, parsed: structuredClone(root) }
    const externalRefResolver = new BaseResolver()
    for (const problem of await lintDocument({ document, config, externalRefResolver })) {
      const { ruleId, message } = problem
      const isUnknown = ruleId === 'struct' && /^Property .* is not expected/.test(message)
      if (!rules.test(ruleId) && !isUnknown) continue
      const keys = partOf(pointerKeys(problem.location[0]?.pointer ?? ''))
      const holder = keys.length === 1 ? root : pointAt(root, toPointer(keys.slice(0, -1)))
      const last = keys.at(-1) ?? ''
      if (!(last in toDraft(holder))) continue
      delete toDraft(holder)[last]
      removed = true
      report(whereOf(keys), `${last} removed. ${withoutAdvice(message)}`)
    }
  }
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
