/** `true` when two types are the same, not only assignable to one another. */
export type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Takes `true` alone; on any other type the compiler complains where this is written. */
export type Expect<T extends true> = T

/** `true` when there are no names; otherwise a sentence about each of them, which the compiler prints. */
export type NoneOf<Names, Sentence extends string> = [Names] extends [never]
  ? true
  : `${Names & string} ${Sentence}`
