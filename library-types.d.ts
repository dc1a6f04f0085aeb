// The functions of JavaScript whose result is `any`, which the compiler does not check, with types of
// which it checks the use: what is read has a declared type, or is `unknown`.

interface ObjectConstructor {
  (value: unknown): unknown
  entries<Value>(object: { [name: string]: Value } | ArrayLike<Value>): [string, Value][]
  entries(object: object): [string, unknown][]
  values<Value>(object: { [name: string]: Value } | ArrayLike<Value>): Value[]
  values(object: object): unknown[]
}

interface ArrayConstructor {
  isArray(value: unknown): value is readonly unknown[]
}

interface JSON {
  parse<Value = unknown>(
    text: string,
    reviver?: (this: unknown, key: string, value: unknown) => unknown,
  ): Value
  stringify(
    value: unknown,
    replacer?: ((this: unknown, key: string, value: unknown) => unknown) | null,
    space?: string | number,
  ): string
}

/** Requests and responses. */
interface Body {
  json<Value = unknown>(): Promise<Value>
}

declare namespace Reflect {
  function get<Value = unknown>(target: object, key: PropertyKey, receiver?: unknown): Value
}
