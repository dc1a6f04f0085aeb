import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose'
import { listen } from '../../../helpers/free-port.ts'

/** The audience of the tokens that a provider signs. */
export const audience = 'https://books.example'

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

/** Responds instead of a provider. */
type Respond = (request: IncomingMessage, response: ServerResponse) => void

interface Header {
  readonly alg?: string
  /** Empty for a token without one. */
  readonly kid?: string
}

/** Makes a key pair of an algorithm; the public key as a provider publishes it. */
export async function createKey(kid: string, alg = 'ES256') {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }
  return { alg, kid, jwk, privateKey, pem: await exportSPKI(publicKey) }
}

export type SigningKey = Awaited<ReturnType<typeof createKey>>

/** Starts an identity provider, which publishes its keys and counts how often they are fetched. */
export async function startIdentityProvider() {
  const key = await createKey('first')
  const state = {
    /** The keys that it publishes. */
    keys: [key.jwk] as readonly JWK[],
    /** What it publishes about itself, beside the usual. */
    metadata: {},
    /** Responds to all requests, if it is set. */
    respond: undefined as Respond | undefined,
    fetched: 0,
  }
  const server = createServer((request, response) => {
    const isForKeys = request.url === '/keys'
    state.fetched += isForKeys ? 1 : 0
    if (state.respond !== undefined) {
      return state.respond(request, response)
    }
    response.setHeader('Content-Type', 'application/json')
    const metadata = { issuer, jwks_uri: `${issuer}/keys`, ...state.metadata }
    response.end(JSON.stringify(isForKeys ? { keys: state.keys } : metadata))
  })
  const issuer = `http://127.0.0.1:${await listen(server)}`

  /** Signs a token; it is valid but for the given claims, header and key. */
  function sign(
    claims: Readonly<Record<string, unknown>> = {},
    { alg = key.alg, kid = key.kid }: Header = {},
    signingKey: CryptoKey | Uint8Array = key.privateKey,
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const usual = { iss: issuer, aud: audience, sub: 'ada', iat: now, exp: now + 300 }
    const header = kid === '' ? { alg } : { alg, kid }
    return new SignJWT({ ...usual, ...claims }).setProtectedHeader(header).sign(signingKey)
  }

  return {
    issuer,
    openIdConnectUrl: `${issuer}/.well-known/openid-configuration`,
    key,
    state,
    sign,
    /** Stops it, so that nothing listens on its port. */
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
