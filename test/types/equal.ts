/** `true` when two types are the same, not only assignable to one another. */
export type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Takes `true` alone; on any other type the compiler complains where this is written. */
export type Expect<T extends true> = T

/** Takes `never` alone; of any other type the compiler names a member where this is written. */
export type Nothing<T extends never> = T
