import type { LoggedRequest, OperationState } from './loop-state.ts'

/** What the loop tells the process of the service. */
export type ToService =
  /** Load everything and serve; the origin and the first key that people know, once there are any. */
  | { readonly kind: 'serve'; readonly origin?: string; readonly key?: string }
  | { readonly kind: 'origin'; readonly origin: string }
  /** Finish what is running, and end. */
  | { readonly kind: 'stop' }

/** What the process of the service tells the loop. */
export type FromService =
  /** Where people are to find it; it listens elsewhere itself. */
  | { readonly kind: 'wanted'; readonly host: string; readonly port: number }
  | {
      readonly kind: 'ready'
      /** The port of the loopback interface that it listens on. */
      readonly port: number
      readonly operations: readonly OperationState[]
      /** The path under it that the contract begins at. */
      readonly basePath: string
      /** What newcomers should read; '' when there is nothing. */
      readonly notice: string
      /** The first key of its store, where it made that. */
      readonly key?: string | undefined
    }
  /** Why it cannot serve; `isFinal` where no save mends it. */
  | { readonly kind: 'failed'; readonly message: string; readonly isFinal?: boolean }
  | { readonly kind: 'answered'; readonly request: LoggedRequest }
