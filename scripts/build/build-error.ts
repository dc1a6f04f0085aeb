/** A package that cannot be built, told in one line a fault. */
export class BuildError extends Error {
  override readonly name = 'BuildError'

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
  }
}
