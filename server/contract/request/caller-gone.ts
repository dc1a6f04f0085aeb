/** The caller closed the connection before its request was complete; nobody is left to answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone'
}
