/**
 * JSON that a test reads and changes as it likes, such as a description: no type allows what a wrong one
 * may have, and what is read is compared.
 */
// biome-ignore lint/suspicious/noExplicitAny: the one place in which tests ask the compiler not to check
export type UncheckedJson = any
