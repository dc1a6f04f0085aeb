import type { Parameter } from './description.ts'
import type { Located } from './location.ts'
import { isJsonType } from './media-types.ts'
import type { References } from './schemas.ts'
import { readShape } from './value-shape.ts'

/** The styles of parameters by their location (OpenAPI, "Style Values"); the first is the usual one. */
const styles: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
}

/** Returns the style of parameters in a location that name none. */
export function usualStyle(location: string): string {
  return styles[location]?.[0] ?? 'form'
}

/** Returns whether arrays and objects are exploded in a style unless a parameter says otherwise. */
export function isUsuallyExploded(style: string): boolean {
  return style === 'form' || style === 'cookie'
}

/** How a parameter is described, as far as it decides whether the service reads it. */
interface DescribedForm {
  readonly location: string
  readonly style: string
  readonly explode: boolean
  readonly schema: Located | undefined
  readonly mediaTypes: readonly string[]
}

/**
 * Returns the form of a parameter that the service does not read, or undefined if it reads it: OpenAPI gives it
 * no meaning, or its content is neither JSON nor text.
 */
export function findUnreadForm(
  { location, style, explode, schema, mediaTypes }: DescribedForm,
  references: References,
): string | undefined {
  const stylesOfLocation = styles[location]
  if (stylesOfLocation === undefined) {
    return `parameters in ${location}`
  }
  if (mediaTypes.length > 0) {
    const other = mediaTypes.find((name) => !isJsonType(name) && !isText(name))
    return other === undefined ? undefined : `content of ${other} in a parameter`
  }
  if (!stylesOfLocation.includes(style)) {
    return `the style ${style} in the ${location}`
  }

  const types = [readShape(schema, references).type ?? []].flat()
  if (style === 'deepObject' && types.length > 0 && !types.includes('object')) {
    return `the style deepObject of a value that is no object`
  }
  const isDelimited = style === 'spaceDelimited' || style === 'pipeDelimited'
  if (isDelimited && explode && types.includes('object')) {
    return `an object in the style ${style} with explode`
  }
  return undefined
}

/** Returns whether OpenAPI ignores a parameter: it has other places for what these headers say. */
export function isIgnoredHeader(location: unknown, name: unknown): boolean {
  return location === 'header' && /^(?:accept|authorization|content-type)$/i.test(String(name))
}

/** Returns whether the value of a parameter is JSON. */
export function isJsonContent({ content }: Pick<Parameter, 'content'>): boolean {
  return content.some(({ name }) => isJsonType(name))
}

/** Returns the schema of the value of a parameter or a header, in `schema` or in `content`. */
export function valueSchemaOf({
  schema,
  content,
}: Pick<Parameter, 'schema' | 'content'>): Located | undefined {
  return schema ?? content[0]?.schema
}

function isText(mediaType: string): boolean {
  return /^text\//i.test(mediaType)
}
