/**
 * What `spec/service.yaml` says beside the description, as `generated/operations.ts` has it. The names of
 * operations are in its table.
 */
export interface Settings {
  /** The version of releases, where `info.version` is not three numbers. */
  readonly version?: string
  readonly errors?: ErrorSettings
  readonly requests?: RequestSettings
  /** The path under which the service has its own pages, such as `/docs`; the root unless set. */
  readonly platformPaths?: string
}

/** The format of the platform's own errors where the description declares none. */
export interface ErrorSettings {
  readonly mediaType?: string
  /** A JSON Pointer, such as `#/components/schemas/Problem`. */
  readonly schema?: string
}

/** How strict the service is with requests. */
export interface RequestSettings {
  /** Whether a query parameter that is not declared is 400, or is ignored and counted. */
  readonly unknownQueryParameters?: 'reject' | 'ignore'
  /** Whether a parameter that is no array and is given twice is 400, or which of its values counts. */
  readonly repeatedParameters?: 'reject' | 'first' | 'last'
  /** Whether the case of a path and a slash at its end matter. */
  readonly paths?: 'exact' | 'lenient'
  /** Whether an `Accept` header that rules out every declared media type is 406, or is ignored. */
  readonly accept?: 'check' | 'ignore'
  /** Whether `readOnly` members of a body are dropped before it is validated, or are 400. */
  readonly readOnlyMembers?: 'drop' | 'reject'
  /**
   * Whether integers of the formats `int64` and `uint64` that double precision may not hold are 400, or a handler
   * gets the nearest number and, in its context, the exact text.
   */
  readonly largeIntegers?: 'reject' | 'accept'
  /** The largest body, in bytes, where the description sets no `x-max-bytes`. */
  readonly maxBytes?: number
}

/** How strict the service is unless the settings say otherwise. */
const usual: Required<RequestSettings> = {
  unknownQueryParameters: 'reject',
  repeatedParameters: 'reject',
  paths: 'exact',
  accept: 'check',
  readOnlyMembers: 'drop',
  largeIntegers: 'reject',
  maxBytes: 1_000_000,
}

/** Returns how strict the service is with requests. */
export function requestSettingsOf({ requests }: Settings): Required<RequestSettings> {
  return { ...usual, ...requests }
}
