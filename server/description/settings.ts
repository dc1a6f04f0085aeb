/**
 * What `spec/service.yaml` says beside the description, as `generated/operations.ts` has it. The names of
 * operations are in its table.
 */
export interface Settings {
  /** The version of releases, where `info.version` is not three numbers. */
  readonly version?: string
  readonly errors?: ErrorSettings
  readonly requests?: RequestSettings
}

/** The format of the platform's own errors where the description declares none. */
export interface ErrorSettings {
  readonly mediaType?: string
  /** A JSON Pointer, such as `#/components/schemas/Problem`. */
  readonly schema?: string
}

/** How strict the service is with requests. */
export interface RequestSettings {
  readonly unknownQueryParameters?: 'ignore' | 'reject'
}
