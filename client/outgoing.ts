/**
 * What openapi-fetch makes in the place of a `Request` where nobody else looks at it, because a real
 * one costs more than the rest of a call.
 */
export class Outgoing {
  declare readonly url: string
  declare readonly method: string
  declare readonly headers: Headers

  constructor(url: string, init: RequestInit) {
    Object.assign(this, init, { url })
  }
}
