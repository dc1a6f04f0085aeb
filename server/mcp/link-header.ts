// A target, and what follows it up to a comma outside of quotes.
const linkPattern = /[ \t,]*<([^>]*)>((?:[^",]|"(?:[^"\\]|\\.)*")*)(?:,|$)/gy

// A name, with a value in quotes, a plain value or none.
const parameterPattern =
  /;[; \t]*(?:([^ \t;="]+)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^ \t;"]+))[ \t]*)?)?/gy

/**
 * Returns the target of the first link to the next page in a `Link` field (RFC 8288, section 3). Reads
 * the field up to its first syntax error, in a time that is proportional to its length. The client, which imports
 * nothing of the server, has the same function.
 */
export function findNextTarget(field: string): string | undefined {
  for (const [, target, parameters = ''] of field.matchAll(linkPattern)) {
    if (isNext(parameters.trim())) {
      return target
    }
  }
  return undefined
}

function isNext(parameters: string): boolean {
  let relations: string | undefined
  let length = 0
  for (const [text, name = '', quoted, plain = ''] of parameters.matchAll(parameterPattern)) {
    length += text.length
    const lowerCaseName = name.toLowerCase()
    // A link with an anchor does not lead from this page.
    if (lowerCaseName === 'anchor') {
      return false
    }
    // Only the first `rel` of a link counts.
    if (lowerCaseName === 'rel') {
      relations ??= quoted?.replaceAll(/\\(.)/g, '$1') ?? plain
    }
  }
  const isComplete = length === parameters.length
  return isComplete && /(?:^|[ \t])next(?:[ \t]|$)/i.test(relations ?? '')
}
