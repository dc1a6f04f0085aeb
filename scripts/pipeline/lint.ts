import { diff } from 'node:util'
import {
  type Config,
  createConfig,
  getCodeframe,
  getLineColLocation,
  lintDocument,
  loadConfig,
  type NormalizedProblem,
} from '@redocly/openapi-core'
import { parse } from 'yaml'
import { toObject } from '../../server/description/json.ts'
import { pointerKeys, valueAt } from '../../server/description/pointer.ts'
import { withoutId } from '../../server/description/schema-ids.ts'
import { commonKey } from '../lint/common-groups.ts'
import { findPlatformFile } from '../lint/platform-file.ts'
import { type ruleSets, toleranceOption } from '../lint/rule-sets.ts'
import { completing, type OpenedDescription } from './bundle.ts'
import { isAcceptedExample } from './example-problems.ts'
import { DescriptionError } from './failure.ts'
import { showNames } from './hidden-names.ts'
import { projectPath, shortPath } from './project.ts'
import { Sources } from './sources.ts'

/** How much is required of a description: the project's rules, or only Redocly's ruleset of that name. */
export const lintLevels = ['strict', 'recommended', 'minimal'] as const
export type LintLevel = (typeof lintLevels)[number]
/** Rules to lint by: those of a level, of the workflows, or one of the platform's sets. */
type RuleChoice = LintLevel | 'workflows' | keyof typeof ruleSets

/**
 * Returns the problems of a description, or of its workflows, in the order of files and lines, those of
 * examples last.
 */
export async function findProblems(opened: OpenedDescription, level: RuleChoice) {
  const { document, resolver: externalRefResolver } = opened
  const config = await readConfig(level)
  const linting = lintDocument({ document, config, externalRefResolver })
  const problems = await linting.catch((error: unknown) => {
    rejectCircular(opened.file)
    if (error instanceof RangeError) {
      throw error
    }
    throw new DescriptionError([`the linter failed on ${shortPath(opened.file)}: ${error}`])
  })
  if (problems.some(({ message }) => /Maximum call stack/.test(message))) {
    rejectCircular(opened.file)
  }
  const reported = new Set(problems.map(({ ruleId }) => ruleId))
  const version = String(toObject(document.parsed)['openapi'])
  const isWrong = ({ message }: NormalizedProblem) =>
    isReportedItself(message, reported) ||
    isOfEveryObject(message) ||
    isBooleanSchema(message, version)
  const rightProblems = problems.filter((problem) => {
    return !isWrong(problem) && !isAcceptedExample(problem)
  })
  // An error in a part that every operation has is reported for each of them, and is fixed once.
  const platformFile = findPlatformFile(toObject(document.parsed), opened.file)
  const commonErrors = rightProblems.filter((problem) => isErrorInCommon(problem, platformFile))
  const reportedProblems = commonErrors.length > 0 ? commonErrors : rightProblems
  const structSettings = toObject(config.getRuleSettings('struct', 'oas3_1'))
  const tolerated = level === 'minimal' ? toleratedInMinimal : harmless
  const isTolerant = level === 'minimal' || structSettings[toleranceOption] === true
  const findings = reportedProblems.map((problem) => {
    const isTolerated = isTolerant && tolerated.test(`${problem.ruleId} ${problem.message}`)
    return toFinding(problem, isTolerated)
  })
  // A problem in a part that several operations refer to is reported once for each of them.
  const byLine = new Map(findings.map((finding) => [finding.line, finding]))
  const lines = new Intl.Collator('en', { numeric: true })
  // An example is not valid as long as its schema is wrong.
  const isExample = ({ line }: { line: string }) => Number(/ no-invalid-\S*-examples /.test(line))
  return [...byLine.values()].sort(
    (one, other) => isExample(one) - isExample(other) || lines.compare(one.line, other.line),
  )
}

/** The errors of examples whose schema is reported by another rule, by that rule. */
const consequences: readonly (readonly [rule: string, message: RegExp])[] = [
  ['no-unresolved-refs', /^Example .* can't resolve reference/],
  // In OpenAPI 3.0.
  ['nullable-type-sibling', /^Example .* errored: "nullable" cannot be used without "type"/],
]

/** Returns whether the cause of an error of an example is reported. */
function isReportedItself(message: string, reported: ReadonlySet<string>): boolean {
  return consequences.some(([rule, pattern]) => reported.has(rule) && pattern.test(message))
}

/**
 * Returns whether a problem is that a member such as `constructor` of an example has another type: the
 * validator of Redocly reads what every object of JavaScript inherits.
 */
function isOfEveryObject(message: string): boolean {
  const [, name = ''] = /^Example .* `(\w+)` property type must be /.exec(message) ?? []
  return Object.hasOwn(Object.prototype, name)
}

/** Returns whether a problem is that a schema is true or false, as it may be since OpenAPI 3.1. */
function isBooleanSchema(message: string, version: string): boolean {
  return !version.startsWith('3.0.') && /^Expected type `Schema` .* got `boolean`/.test(message)
}

/** Throws the locations of references that lead back to themselves, which Redocly does not report. */
function rejectCircular(file: string): void {
  const lines = new Sources(file)
    .findCircularReferences()
    .map((at) => `${at} no-circular-refs The reference leads back to itself.`)
  if (lines.length > 0) {
    throw new DescriptionError(lines)
  }
}

function isErrorInCommon(
  { severity, location: [at] }: NormalizedProblem,
  platformFile: string | undefined,
): boolean {
  const isOfPlatform = at !== undefined && at.source.absoluteRef === platformFile
  const isInCommon = pointerKeys(at?.pointer ?? '')[0] === commonKey
  return severity === 'error' && (isOfPlatform || isInCommon)
}

/** Returns the rules of a choice. */
async function readConfig(level: RuleChoice): Promise<Config> {
  if (level === 'strict' || level === 'workflows') {
    const config = loadConfig({ configPath: projectPath('redocly.yaml') })
    return (await config.catch(rejectConfig)).forAlias(level)
  }
  if (level === 'served' || level === 'house') {
    return readRuleSet(level)
  }
  // With `minimal`, an error is only something that keeps a description from being compiled.
  const rules = {
    'no-server-trailing-slash': 'warn',
    'operation-operationId-unique': 'error',
  } as const
  return createConfig({ ...completing, extends: [level], ...(level === 'minimal' && { rules }) })
}

/** Returns one of the platform's sets of rules, which a project may have changed for itself. */
export function readRuleSet(name: keyof typeof ruleSets): Promise<Config> {
  return createConfig({
    plugins: [projectPath('scripts/lint/plugin.ts')],
    extends: ['recommended-strict', `service/${name}`],
  })
}

function rejectConfig(error: unknown): never {
  throw new DescriptionError([describeConfigError(error)])
}

/** Returns the first line of an error in the configuration or in a rule, with the file and line that it names. */
export function describeConfigError(error: unknown): string {
  const { message, stack = '' } = error instanceof Error ? error : { message: String(error) }
  // The stack of a syntax error begins with its file.
  const [head] = stack.split('\n', 1)
  const match = /(?:file:\/\/| in ")(\/[^":]+)(?:"[ :(]+|:)(\d+)/.exec(`${message} ${head}`)
  const [, file = projectPath('redocly.yaml'), line = '1'] = match ?? []
  const [reason] = message.split('\n')
  return `${shortPath(file)}:${line}:1 configuration ${reason}`
}

// Messages about `nullable`, which openapi-typescript reads in any version, and about schemas that are
// true or false, which OpenAPI 3.0 does not have.
const toleratedInMinimal =
  /^\S+ (?:Property `nullable` is not expected|Expected type `Schema` .* got `boolean`)/

// Errors in descriptions that are served all the same: unknown keywords, texts that are missing, and references
// to other hosts, whose operations are not served.
const harmless =
  /^struct (?:Property `.*` is not expected|Expected type `Schema` .* got `boolean`|The field `(?:description|title|url|name)` must be present)|^no-unresolved-refs .* on another host/

const nullableAdvice =
  ' Since OpenAPI 3.1: type: [string, "null"], or anyOf: [{ $ref: … }, { type: "null" }].'

/**
 * Returns a problem as a line, `file:line:column rule message`, and as a report, which has the lines of
 * the file below that.
 */
function toFinding(
  { ruleId, message, severity, suggest, location: [problemLocation] }: NormalizedProblem,
  isTolerated: boolean,
) {
  if (problemLocation === undefined) {
    throw new Error(`${ruleId} reports no location: ${message}`)
  }
  const { pointer } = problemLocation
  const location =
    pointer === undefined ? problemLocation : { ...problemLocation, pointer: showNames(pointer) }
  const at = getLineColLocation(location)
  let text = showNames(message).replaceAll(/\s+/g, ' ').trim()
  let names: readonly string[] = suggest
  if (ruleId === 'no-unresolved-refs' && location.pointer !== undefined) {
    const root: unknown = parse(at.source.body)
    const node = valueAt(root, location.pointer)
    const $ref = String(toObject(node)['$ref'] ?? node)
    const pointer = withoutId($ref, root, location.pointer)
    text =
      pointer === undefined ? text.replace('$ref', () => `$ref ${$ref}`) : adviseOnId($ref, pointer)
    names = pointer === undefined ? similarTo($ref, root) : []
  }
  if (/^Property `nullable` is not/.test(text)) {
    text += nullableAdvice
  }
  if (names.length > 0) {
    text = `${text.replace(/\.?$/, '.')} Did you mean ${names.join(' or ')}?`
  }
  const line = `${shortPath(at.source.absoluteRef)}:${at.start.line}:${at.start.col} ${ruleId} ${text}`
  return {
    isError: severity === 'error' && !isTolerated,
    line,
    report: `${line}\n${getCodeframe(at, false)}\n`,
  }
}

/** Returns the message on a reference whose meaning depends on the `$id` of a schema. */
function adviseOnId($ref: string, pointer: string): string {
  return `Can't resolve $ref ${$ref}: it depends on the $id of a schema, which is not followed; write ${pointer}, and remove the $id.`
}

/** Returns the names beside that of a reference that differ from it by few characters. */
function similarTo($ref: string, root: unknown): readonly string[] {
  const [folder, name = ''] = $ref.split(/\/(?=[^/]*$)/)
  const isSimilar = (other: string) =>
    other !== name && diff(name, other).filter(([kind]) => kind !== 0).length < 4
  return Object.keys(toObject(valueAt(root, String(folder)))).filter(isSimilar)
}
