import { fillBody } from '../../server/description/error-filling.ts'
import { chooseValue } from '../../server/description/error-roles.ts'
import type { Shape } from '../../server/description/error-shape.ts'
import { isObject, type JsonObject } from '../../server/description/json.ts'

/** A schema of errors that no format of the platform fits. */
interface MappedSchema {
  readonly shape: Shape
  readonly mediaType: string
  readonly example: unknown
  /** The type of its bodies; undefined if there is none. */
  readonly type: BodyType | undefined
}

/** A type of `server/contract/handler.ts`. */
export interface BodyType {
  readonly name: string
  /** With its arguments, such as `Schema<"Failure">`. */
  readonly text: string
}

// A body is filled in with characters that no text has, and printed with code in their place.
const codeMark = '\u{E001}'
const messageMark = '\u{E002}'
const requestIdMark = '\u{E003}'
const reasonMark = '\u{E004}'
const pathMark = '/body/\u{E005}'
const detailMark = '\u{E006}'
const tableMark = '\u{E007}'
const statusMark = 40_404_404
const timeMark = new Date(0).toISOString()

/** The code of each mark. */
const codeOf: Readonly<Record<string, string>> = {
  [codeMark]: 'code',
  [messageMark]: 'message',
  [requestIdMark]: 'requestId',
  [reasonMark]: 'reasonOf(status)',
  [pathMark]: 'path',
  [detailMark]: 'text',
  [`${pathMark} ${detailMark}`]: "[path, text].join(' ')",
  [String(statusMark)]: 'String(status)',
  [timeMark]: 'new Date().toISOString()',
}

/** The statuses of the platform's errors, by their codes. */
export type PlatformCodes = ReadonlyMap<string, number>

/** Returns the text of `server/api/error-format.ts` with a first mapping to a schema. */
export function printMapping(
  { shape, mediaType, example, type }: MappedSchema,
  platformCodes: PlatformCodes,
): string {
  const tables: (readonly unknown[])[] = []
  const choose = (values: readonly unknown[]): unknown => {
    if (values.length === 1) {
      return values[0]
    }
    const sameTable = tables.findIndex((table) => JSON.stringify(table) === JSON.stringify(values))
    const isNewTable = sameTable === -1
    const index = isNewTable ? tables.length : sameTable
    if (isNewTable) {
      tables.push(values)
    }
    const general = chooseValue(values, { status: 500, code: 'internal_error' }) ?? values[0]
    return `${tableMark}${index} ${JSON.stringify(general)}`
  }
  const marked = {
    status: statusMark,
    code: codeMark,
    message: messageMark,
    requestId: requestIdMark,
    reason: reasonMark,
    time: 0,
    choose,
  }
  const details = [{ path: pathMark, message: detailMark }]
  const detailed = fillBody(shape, { ...marked, details }, example)
  const usual = fillBody(shape, { ...marked, details: [] }, example)
  const body = print(detailed, usual)

  const parameters = findUsed(['status', 'code', 'message', 'details', 'requestId'], body)
  const argument = parameters.length === 0 ? '' : `{ ${parameters.join(', ')} }`
  const ofBody = type === undefined ? '' : `<${type.text}>`
  const hasReason = findUsed(['reasonOf'], body).length > 0
  const imported = hasReason ? '{ type ErrorFormat, reasonOf }' : 'type { ErrorFormat }'
  const imports = [
    `import ${imported} from '../contract/error-format.ts'`,
    ...(type === undefined ? [] : [`import type { ${type.name} } from '../contract/handler.ts'`]),
  ]
  return `${imports.join('\n')}
${tables.map((values, index) => printTable(values, index, platformCodes)).join('')}
/**
 * The format of this API for errors, begun by \`npm run init\`: the body for a status, a code, a message and the
 * details of a request that violates the contract.
 */
export const errorFormat: ErrorFormat${ofBody} = {
  mediaType: ${JSON.stringify(mediaType)},
  toBody: (${argument}) => (${body}),
}
`
}

/** Returns the variables, of some, that code reads; a member of a body may have the name of one. */
function findUsed(names: readonly string[], code: string): readonly string[] {
  const withoutTexts = code.replaceAll(/"(?:[^"\\]|\\.)*"?|'[^']*'?/g, '""')
  return names.filter((name) => {
    return new RegExp(String.raw`(?<![\w.])${name}(?![\w:])`).test(withoutTexts)
  })
}

/** Returns the code of a value: for an error with details, and for one without. */
function print(detailed: unknown, usual: unknown): string {
  if (Array.isArray(detailed)) {
    return printList(detailed, Array.isArray(usual) ? usual : undefined)
  }
  if (isObject(detailed)) {
    return printObject(detailed, isObject(usual) ? usual : {})
  }
  return printLeaf(detailed)
}

function printObject(detailed: JsonObject, usual: JsonObject): string {
  const members = Object.entries(detailed).map(([name, value]) => {
    const printed = print(value, usual[name])
    const member = printed === name ? name : `${JSON.stringify(name)}: ${printed}`
    return name in usual ? member : `...(details.length === 0 ? {} : { ${member} })`
  })
  return `{ ${members.join(', ')} }`
}

function printList(detailed: readonly unknown[], usual: readonly unknown[] | undefined): string {
  const isPath = detailed.length === 2 && detailed.join('/') === pathMark.slice(1)
  if (isPath) {
    return "path.split('/').slice(1)"
  }
  const items = detailed.map((item) => print(item, item))
  const isOfDetails = JSON.stringify(detailed).includes(detailMark)
  if (!isOfDetails) {
    return `[${items.join(', ')}]`
  }

  const [item = '{}'] = items
  const parameters = findUsed(['path', 'text'], item)
  const names = parameters.map((each) => (each === 'text' ? 'message: text' : each)).join(', ')
  const mapped = `details.map(({ ${names} }) => (${item}))`
  const usualItems = (usual ?? []).map((each) => print(each, each))
  if (usualItems.length === 0) {
    return mapped
  }
  return `details.length === 0 ? [${usualItems.join(', ')}] : ${mapped}`
}

function printLeaf(value: unknown): string {
  if (value === statusMark) {
    return 'status'
  }
  if (value === 0) {
    return '0'
  }
  if (typeof value === 'string' && value.startsWith(tableMark)) {
    const [, index = '', general = ''] = /^.(\d+) (.*)$/su.exec(value) ?? []
    return `codes${tableSuffix(Number(index))}.get(code) ?? ${general}`
  }
  return codeOf[String(value)] ?? JSON.stringify(value)
}

function tableSuffix(index: number): string {
  return index === 0 ? '' : String(index + 1)
}

/** Returns the code of the table that has one of the listed values for each code. */
function printTable(
  values: readonly unknown[],
  index: number,
  platformCodes: PlatformCodes,
): string {
  const [first] = values
  const rowsOfPlatform = Array.from(platformCodes, ([code, status]) => {
    const chosen = chooseValue(values, { status, code }) ?? first
    return `  [${JSON.stringify(code)}, ${JSON.stringify(chosen)}],`
  })
  const rowsOfApi = values
    .filter((value) => typeof value === 'string' && !platformCodes.has(value))
    .map((value) => `  [${JSON.stringify(value)}, ${JSON.stringify(value)}],`)
  const type = values.map((value) => JSON.stringify(value)).join(' | ')
  return `
/** The code of the description for each code of the platform, and for those of handlers. */
const codes${tableSuffix(index)} = new Map<string, ${type}>([
${[...rowsOfPlatform, ...rowsOfApi].join('\n')}
])
`
}
