type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9

type ToNumber<Text extends string> = Text extends `${infer Value extends number}` ? Value : never

/** The statuses of each range. */
interface StatusesOfRange {
  readonly '2XX': ToNumber<`2${Digit}${Digit}`>
  readonly '3XX': ToNumber<`3${Digit}${Digit}`>
  readonly '4XX': ToNumber<`4${Digit}${Digit}`>
  readonly '5XX': ToNumber<`5${Digit}${Digit}`>
}

/** The range of a status, such as `4XX`. */
type RangeOf<Status> = `${Status & number}` extends `${infer First}${string}` ? `${First}XX` : never

/**
 * The statuses that responses are declared for: each listed one, those of ranges, and all where there is a
 * default.
 *
 * @example DeclaredStatus<{ 200: Book; '5XX': Problem }> // 200 | 500 | 501 | … | 599
 */
export type DeclaredStatus<Responses> = 'default' extends keyof Responses
  ? StatusesOfRange[keyof StatusesOfRange] | (keyof Responses & number)
  : StatusesOfRange[keyof Responses & keyof StatusesOfRange] | (keyof Responses & number)

/** The response that is declared for a status: its own, or else that of its range, or else the default. */
export type ResponseOf<Responses, Status> = Status extends WithoutContent
  ? Omit<DeclaredResponse<Responses, Status>, 'content'>
  : DeclaredResponse<Responses, Status>

type DeclaredResponse<Responses, Status> = Status extends keyof Responses
  ? Responses[Status]
  : RangeOf<Status> extends keyof Responses
    ? Responses[RangeOf<Status>]
    : 'default' extends keyof Responses
      ? Responses['default']
      : never

/** The statuses of responses that have no content, whatever is declared. */
type WithoutContent = 204 | 205 | 304
