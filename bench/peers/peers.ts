/** A server that answers the same requests. */
export interface Peer {
  readonly name: string
  /** The program, from the root of the project. */
  readonly program: string
}

/** The service. */
export const service: Peer = { name: 'this service', program: 'server/main.ts' }

export const nodeHttp: Peer = {
  name: 'node:http, no validation',
  program: 'bench/peers/node-http.ts',
}

export const fastify: Peer = { name: 'Fastify', program: 'bench/peers/fastify.ts' }

export const express: Peer = {
  name: 'Express, no validation',
  program: 'bench/peers/express.ts',
}

export const expressValidator: Peer = {
  name: 'Express with express-openapi-validator',
  program: 'bench/peers/express-validator.ts',
}

/** All that are compared, in the order in which they are shown. */
export const peers = [service, nodeHttp, fastify, express, expressValidator]
