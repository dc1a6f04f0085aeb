/** The methods that Node.js reads, and the reason phrases of status codes. `process/node-http.ts` says why they are no import. */
export const { METHODS, STATUS_CODES } = process.getBuiltinModule('node:http')

const safe = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']

/** The safe methods (RFC 9110, section 9.2.1), and QUERY: they only read. */
export const safeMethods: ReadonlySet<string> = new Set(safe)
