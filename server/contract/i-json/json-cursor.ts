/** The code units that mean something in JSON. */
export const character = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quotationMark: 0x22,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  upperE: 0x45,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  e: 0x65,
  u: 0x75,
  openBrace: 0x7b,
  closeBrace: 0x7d,
}

const maximumEcho = 40

/** A place in a text, and the first fault found there. */
export class JsonCursor {
  readonly text: string
  /** The index of the next character; after a fault, the index of the fault. */
  at = 0
  /** Why the text is refused, in plain words. */
  fault: string | undefined
  /** Where the negative zeros are. */
  readonly negativeZeros: number[] = []

  constructor(text: string) {
    this.text = text
  }

  /** The code unit at the cursor; NaN, which equals nothing, at the end of the text. */
  peek(): number {
    return this.text.charCodeAt(this.at)
  }

  /** Steps over white space and gives the code unit after it. */
  skipSpace(): number {
    for (;;) {
      const code = this.peek()
      if (!isSpace(code)) return code
      this.at++
    }
  }

  /** Records a fault; gives false, which every scanning function gives after a fault. */
  fail(message: string, index = this.at): false {
    this.at = index
    this.fault = message
    return false
  }

  /** Records that the next character is not what the grammar asks for. */
  failExpecting(wanted: string): false {
    if (this.at >= this.text.length) return this.fail(`${wanted} was expected, but the text ends`)
    const found = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0)
    return this.fail(`${wanted} was expected, not ${quote(found)}`)
  }
}

function isSpace(code: number): boolean {
  if (code > character.space) return false
  const { space, lineFeed, carriageReturn, tab } = character
  return code === space || code === lineFeed || code === carriageReturn || code === tab
}

/** A short piece of input, safe to show: its beginning, with invisible characters escaped. */
export function quote(input: string): string {
  // Twice as many code units, so that no surrogate pair among the characters shown is cut.
  const characters = Array.from(input.slice(0, 2 * maximumEcho))
  const shown = characters.slice(0, maximumEcho).join('')
  const visible = shown.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`,
  )
  return `'${visible}${characters.length > maximumEcho ? '…' : ''}'`
}
