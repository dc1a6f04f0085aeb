import type { Parameter } from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import {
  isJsonContent,
  isUsuallyExploded,
  usualStyle,
  valueSchemaOf,
} from '../../server/description/parameter-form.ts'
import { readShape, type Shape } from '../../server/description/value-shape.ts'
import { clientExports } from './client-exports.ts'

/**
 * Returns how parameters are written that are not as usual, in the few characters that an application ships;
 * nothing if the client needs no function for them.
 */
export function readParameters(
  parameters: readonly Parameter[],
  documents: Documents,
  hasOthers: boolean,
) {
  const styles = parameters.flatMap((parameter) => {
    const style = printStyle(parameter, documents)
    return style === undefined ? [] : [[`${parameter.location} ${parameter.name}`, style] as const]
  })
  const areUsual = parameters.every((parameter) => isWrittenAsUsual(parameter, documents))
  if (styles.length === 0 && areUsual && !hasOthers) {
    return {}
  }
  return { parameters: { styles: Object.fromEntries(styles), write: clientExports.writeStyled } }
}

/** Prints a style such as `form*`: `*` is for `explode`, `+` for `allowReserved`, `?` for null. */
function printStyle(parameter: Parameter, documents: Documents): string | undefined {
  const { location, form } = parameter
  const { style, explode, allowReserved } = form
  const types = typesOf(readShape(valueSchemaOf(parameter), documents))
  const reserved = allowReserved && location === 'query' ? '+' : ''
  const nullable = types.includes('null') ? '?' : ''
  if (isJsonContent(parameter)) {
    return `json${reserved}${nullable}`
  }

  const usual = usualStyle(location)
  // A single text is the same, whether it is exploded or not.
  const isText = types.length > 0 && !types.includes('array') && !types.includes('object')
  const isExploded = isText ? isUsuallyExploded(usual) : explode
  const isUsual = style === usual && isExploded === isUsuallyExploded(usual)
  const flags = `${isExploded ? '*' : ''}${reserved}${nullable}`
  return isUsual && reserved === '' && nullable === '' ? undefined : `${style}${flags}`
}

/**
 * Returns whether a client writes a parameter of a usual style without a function of its own: a text, a number, a
 * boolean, or a list of them in the query.
 */
function isWrittenAsUsual(parameter: Parameter, documents: Documents): boolean {
  const { location, name } = parameter
  const shape = readShape(valueSchemaOf(parameter), documents)
  const types = typesOf(shape)
  const isList = location === 'query' && hasTexts(shape.items)
  const isKnown = types.length > 0 && types.every((type) => isTextType(type) || isList)
  return isKnown && location !== 'cookie' && isPlainName(location, name)
}

/** Returns whether openapi-fetch writes a name as it is: it encodes none, and reads the style of a path from some. */
function isPlainName(location: string, name: string): boolean {
  if (location === 'path') {
    return !/^[.;]|\*$/.test(name)
  }
  return location === 'header' || encodeURIComponent(name) === name
}

function hasTexts(shape: Shape = {}): boolean {
  const types = typesOf(shape)
  return types.length > 0 && types.every(isTextType)
}

function isTextType(type: string): boolean {
  return ['string', 'number', 'integer', 'boolean'].includes(type)
}

function typesOf({ type = [] }: Shape): readonly string[] {
  return [type].flat()
}
