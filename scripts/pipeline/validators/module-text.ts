/** The text of a module as it grows: what is declared twice in the same words is there once. */
export interface ModuleText {
  /** Declares a constant, or finds it; gives its name. */
  readonly declare: (start: string, value: string) => string
  /** Gives a name to a constant that is defined later, because it is used within itself. */
  readonly reserve: (start: string) => string
  readonly define: (name: string, value: string) => void
  readonly text: () => string
}

export function createModuleText(): ModuleText {
  const names = new Map<string, string>()
  const lines: string[] = []
  let count = 0
  const reserve = (start: string) => `${start}${++count}`
  const define = (name: string, value: string) => void lines.push(`const ${name} = ${value}\n`)
  return {
    reserve,
    define,
    declare(start, value) {
      const known = names.get(value)
      if (known !== undefined) return known
      const name = reserve(start)
      names.set(value, name)
      define(name, value)
      return name
    },
    text: () => lines.join(''),
  }
}
