/** The longest name that the clients of language models accept. */
const maxLength = 64

/** Gives names that agents can write: letters, digits, `_` and `-`, at most 64, none twice. */
export class UniqueNames {
  readonly #fallback: string
  readonly #taken = new Set<string>()

  /** `fallback` is the name of what has no letter or digit in its own. */
  constructor(fallback: string) {
    this.#fallback = fallback
  }

  /** Returns a name as it is if it has this form and is free, else one that is like it. */
  add(text: string): string {
    const name = toName(text) || this.#fallback
    let unique = name
    for (let number = 2; this.#taken.has(unique); number++) {
      const end = `_${number}`
      unique = name.slice(0, maxLength - end.length) + end
    }
    this.#taken.add(unique)
    return unique
  }
}

/** Returns a text as it is if it has the form of a name, else with an underscore in place of other characters. */
export function toName(text: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) {
    return text
  }
  const name = text.replaceAll(/[^A-Za-z0-9-]+/g, '_')
  return name.replaceAll(/^_|_$/g, '').slice(0, maxLength)
}
