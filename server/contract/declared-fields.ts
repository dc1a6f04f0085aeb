/**
 * The type of a value of which every field is declared: a field that is not has a type that names it, which no
 * value has. The compiler itself looks for such fields in literals alone, not in variables.
 *
 * @example DeclaredFields<{ id: number; secret: string }, { id: number }>
 *   // { id: number; secret: UndeclaredField<'secret'> }
 */
export type DeclaredFields<Value, Declared> = [NameOf<Declared>] extends [never]
  ? // Any JSON value.
    Value
  : HasDeclaredNamesOnly<Value, Declared> extends true
    ? Value
    : Value extends readonly unknown[]
      ? { [Index in keyof Value]: DeclaredFields<Value[Index], ItemOf<Declared>> }
      : Value extends Uint8Array | AsyncIterable<Uint8Array>
        ? // Bytes, or a stream of them; a `Readable` iterates over values of any type.
          Value
        : Value extends AsyncIterable<infer Item>
          ? AsyncIterable<DeclaredFields<Item, StreamItemOf<Declared>>>
          : Value extends object
            ? {
                [Name in keyof Value]: Name extends NameOf<Declared>
                  ? DeclaredFields<Value[Name], FieldOf<Declared, Name>>
                  : UndeclaredField<Name>
              }
            : Value

declare const undeclared: unique symbol

/** The type of a field that the description does not declare; no value has it. */
interface UndeclaredField<Name> {
  readonly [undeclared]: Name
}

/**
 * True if a declared value has the type of the value, and the latter has declared names alone. The search for undeclared
 * fields ends there, because a type may contain itself.
 */
type HasDeclaredNamesOnly<Value, Declared> = [Declared] extends [Value]
  ? NameOf<Value> extends NameOf<Declared>
    ? true
    : false
  : false

/**
 * The names of the fields of every type of a union.
 *
 * @example NameOf<{ a: 1 } | { b: 2 }> // 'a' | 'b'
 */
type NameOf<Union> = Union extends unknown ? keyof Union : never

/** The type of a field, in those types of a union that have it. */
type FieldOf<Union, Name> = Union extends unknown
  ? Name extends keyof Union
    ? Union[Name]
    : never
  : never

/** The type of an item, in those types of a union that are streams. */
type StreamItemOf<Union> = Union extends AsyncIterable<infer Item> ? Item : never

/** The type of an item, in those types of a union that are lists. */
type ItemOf<Union> = Union extends readonly (infer Item)[] ? Item : never
