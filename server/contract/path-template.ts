/** Converts a path template of OpenAPI, such as `/tools/{toolId}`, to one of Express. */
export function toExpressPath(template: string): string {
  return mapTemplate(
    // Express does not tell parameters apart that nothing separates; an operation that has some is 501.
    template.replaceAll('}{', ''),
    (name) => `:${JSON.stringify(name)}`,
    (text) => text.replaceAll(/[{}()[\]+?!:*\\]/g, '\\$&'),
  )
}

/** Returns the path of a template with the values of its parameters, percent-encoded. */
export function fillPath(template: string, values: Readonly<Record<string, unknown>>): string {
  const printValue = (name: string) => encodeURIComponent(String(values[name] ?? ''))
  return mapTemplate(template, printValue, (text) => text)
}

/**
 * Returns a function that finds the parameters of a path by its template, still percent-encoded; undefined if the
 * path has another form. It reads them as Express does, which decodes them.
 */
export function createPathReader(
  template: string,
): (path: string) => ReadonlyMap<string, string> | undefined {
  const names = parameterNamesIn(template)
  const parts = splitTemplate(template)
  const patterns = parts.map((part, index) => {
    return isParameter(part) ? patternAfter(parts[index - 1]) : RegExp.escape(part)
  })
  const pattern = new RegExp(`${patterns.join('')}/?$`, 'i')

  return function readPath(path) {
    const [, ...texts] = pattern.exec(path) ?? []
    return texts.length === 0
      ? undefined
      : new Map(names.map((name, index) => [name, texts[index] ?? '']))
  }
}

/** Returns the pattern of a parameter. Its value does not have the text that separates it from one in its segment. */
function patternAfter(text = ''): string {
  const isFirstOfSegment = text.includes('/')
  const end = isFirstOfSegment || text === '' ? '' : `(?!${RegExp.escape(text)})`
  return `((?:${end}[^/])+)`
}

/** Returns the names of the parameters in a path template. */
export function parameterNamesIn(template: string): readonly string[] {
  return Array.from(template.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name)
}

/** Converts the names of the parameters in a path template, and the texts between them, which are ASCII. */
export function mapTemplate(
  template: string,
  convertName: (name: string) => string,
  convertText: (text: string) => string,
): string {
  const converted = splitTemplate(template).map((part) =>
    isParameter(part) ? convertName(part.slice(1, -1)) : convertText(part),
  )
  return converted.join('')
}

/** Returns the parts of a path template in turn: a text, which is ASCII, and a parameter in braces. */
function splitTemplate(template: string): readonly string[] {
  const parts = template.split(/(\{[^{}]+\})/)
  return parts.map((part) => (isParameter(part) ? part : encodeNonAscii(part)))
}

function isParameter(part: string): boolean {
  return part.startsWith('{')
}

// Express compares with the path as it was sent, and header fields are ASCII.
function encodeNonAscii(text: string): string {
  return text.replaceAll(/[^!-~]+|["<>^`]/g, encodeURI)
}
