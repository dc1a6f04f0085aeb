/**
 * What the service takes from `node:http`. An import would read everything that the module exports,
 * and for one of these Node loads all of `fetch`: a tenth of the start.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
