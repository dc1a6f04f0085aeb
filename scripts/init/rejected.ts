import { BaseResolver, lintDocument, Source } from '@redocly/openapi-core'
import { type JsonObject, toObject } from '../../server/description/json.ts'
import { servedMethods } from '../../server/description/operations.ts'
import { pointerKeys, toPointer, valueAt } from '../../server/description/pointer.ts'
import { referToPlatform } from '../pipeline/bundle.ts'
import { isAcceptedExample } from '../pipeline/example-problems.ts'
import { hideNames, showNames } from '../pipeline/hidden-names.ts'
import { readRuleSet } from '../pipeline/lint.ts'
import { projectSpec } from '../pipeline/project.ts'
import { type Conversion, type Draft, follow, toDraft, visitObjects } from './draft.ts'

/** The rules that reject what the service does not implement, and values that a schema rejects. */
const rules =
  /^service\/(?:known-keywords|known-format|linear-pattern|default-valid|header-example-valid)$|^no-invalid-.*-examples?$/

/** How often the linter is asked, as it may find more once something is removed. */
const maxRounds = 5

/** Removes keywords, formats, patterns, defaults and examples that the linter rejects. */
export async function removeRejected(conversion: Conversion): Promise<void> {
  inlineExamples(conversion.root)

  for (let round = 0; round < maxRounds; round++) {
    let isChanged = false

    for (const problem of await lintConverted(conversion.root)) {
      const isRemoved = isRejected(problem) && removePart(conversion, problem)
      if (isRemoved) {
        isChanged = true
      }
    }

    if (!isChanged) {
      return
    }
  }
}

type Problem = Awaited<ReturnType<typeof lintConverted>>[number]

function isRejected({ rule, message }: Problem): boolean {
  // The error is in the schema of the example, and also reported there.
  if (message.startsWith('Example validation errored')) {
    return false
  }

  const isUnknown = rule === 'struct' && /^Property .* is not expected/.test(message)
  return isUnknown || rules.test(rule)
}

/** Removes what a problem is about; returns whether it was still there. */
function removePart({ root, report }: Conversion, { message, pointer }: Problem): boolean {
  const keys = partOf(pointerKeys(pointer))
  const last = keys.at(-1) ?? ''
  const holder = keys.length === 1 ? root : toDraft(valueAt(root, toPointer(keys.slice(0, -1))))
  if (!(last in holder)) {
    return false
  }

  delete holder[last]
  report(whereOf(keys), `${last} removed. ${withoutAdvice(message)}`)
  return true
}

/** Returns the problems of a converted description, as if it were that of the project. */
export async function lintConverted(root: JsonObject) {
  const source = new Source(projectSpec, JSON.stringify(root))
  const parsed = hideNames(structuredClone(root))
  referToPlatform(toObject(parsed), projectSpec)
  const document = { source, parsed }
  const config = await readRuleSet('served')
  const externalRefResolver = new BaseResolver()
  externalRefResolver.cache.set(projectSpec, Promise.resolve(document))
  const problems = await lintDocument({ document, config, externalRefResolver })
  const rejected = problems.filter((problem) => !isAcceptedExample(problem))
  return rejected.map(({ ruleId: rule, severity, message, location: [at] }) => {
    const pointer = showNames(at?.pointer ?? '#/')
    const { $ref } = toDraft(valueAt(root, pointer.replace(/\/\$ref$/, '')))
    const isBroken = rule === 'no-unresolved-refs' && $ref !== undefined
    return {
      rule,
      severity,
      pointer,
      message: isBroken ? `Can't resolve ${$ref}` : showNames(message),
    }
  })
}

/** Copies shared examples to where they are used: one may be valid for one schema and not for another. */
function inlineExamples(root: Draft): void {
  visitObjects(root, ({ examples }) => {
    for (const [name, example] of Object.entries(toDraft(examples))) {
      const isShared = String(toDraft(example)['$ref']).startsWith('#/components/examples/')
      if (isShared) {
        toDraft(examples)[name] = structuredClone(follow(root, example))
      }
    }
  })
}

/** Returns the first keys, up to the example that they lead into; all keys outside of examples. */
function partOf(keys: readonly string[]): readonly string[] {
  const isExample = (key: string, index: number) =>
    /^examples?$/.test(key) && keys[index - 1] !== 'properties'
  const at = keys.findIndex(isExample)
  if (at === -1) {
    return keys
  }
  const isNamed = keys[at] === 'examples' && !/^\d*$/.test(keys[at + 1] ?? '')
  return keys.slice(0, isNamed ? at + 2 : at + 1)
}

function withoutAdvice(message: string): string {
  const text = message.replaceAll(/\s+/g, ' ').trim()
  return text.replace(/; (?:remove|use|rewrite|it is for) .*/, '.')
}

/** Returns the operation or the component that keys lead into, for people. */
function whereOf([section = '', name = '', part = '', ...rest]: readonly string[]): string {
  if (section === 'components') {
    return toPointer([section, name, part])
  }
  if (section !== 'paths') {
    return toPointer([section, name, part, ...rest].filter(Boolean))
  }
  return servedMethods.includes(part) ? `${part.toUpperCase()} ${name}` : name
}
