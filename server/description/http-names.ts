/** The methods that Node.js reads, and the reason phrases of status codes. `process/node-http.ts` says why they are no import. */
export const { METHODS, STATUS_CODES } = process.getBuiltinModule('node:http')
