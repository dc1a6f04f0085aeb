/**
 * A media type that a declared one stands for: itself, or any of a range.
 *
 * @example MediaTypeIn<'application/*'> // `application/${string}`
 */
export type MediaTypeIn<Declared> = Declared extends `${infer Type}/*`
  ? `${Type extends '*' ? string : Type}/${string}`
  : Declared
