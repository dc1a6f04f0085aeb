import {
  type CredentialKind,
  credentialKind,
  type SecurityScheme,
} from '../../server/description/security.ts'
import { printLiteral } from '../pipeline/literal.ts'

/** What a team has to do, and where. */
export interface Task {
  readonly where: string
  readonly what: string
}

/** A security scheme in the table of authenticators. */
interface Row {
  /** The code that creates its authenticator. */
  readonly code: string
  /** Why there is something to do, in a comment. */
  readonly comment?: string
  /** What the team has to do before requests are accepted, if anything. */
  readonly advice?: string
  /** The name of what the platform has for it. */
  readonly builtIn: string
}

const rows: Readonly<Record<CredentialKind, (scheme: SecurityScheme) => Row>> = {
  apiKey: ({ name }) => ({ code: `apiKeys(${printLiteral(name)})`, builtIn: 'apiKeys' }),
  token: toTokenRow,
  password: ({ name }) => ({
    code: `basic(${printLiteral(name)}, async (_user, _password) => undefined)`,
    comment: 'No password is right yet: find the user, and compare the hash of the password.',
    advice: 'no password is right until its function in server/api/security.ts checks passwords',
    builtIn: 'basic',
  }),
  other: toUncheckedRow,
}

function toTokenRow({ name, form }: SecurityScheme): Row {
  const code = `tokens(${printLiteral(name)})`
  const advice =
    form['openIdConnectUrl'] === undefined
      ? 'set OIDC_ISSUER and OIDC_AUDIENCE, whose tokens are accepted'
      : 'set OIDC_AUDIENCE, for which tokens are accepted; OIDC_ISSUER, if it is not that of the description'
  return { code, advice: `${advice} (docs/configuration.md)`, builtIn: 'tokens' }
}

function toUncheckedRow({ name, form }: SecurityScheme): Row {
  const { type, scheme } = form
  return {
    code: `unchecked(${printLiteral(name)})`,
    comment: `Nothing checks ${scheme ?? type} yet, and nothing is accepted: docs/your-own-api.md, "Security".`,
    advice:
      'nothing checks it, so no request is accepted by it; write its authenticator in server/api/security.ts (docs/your-own-api.md, "Security")',
    builtIn: 'unchecked',
  }
}

/** Returns the values of the fields in the template of `server/api/security.ts`. */
export function printAuthenticators(schemes: readonly SecurityScheme[]) {
  const rowsByName = schemes.map((scheme) => [scheme.name, rowOf(scheme)] as const)
  const lines = rowsByName.map(([name, { code, comment }]) => {
    const note = comment === undefined ? '' : `    // ${comment}\n`
    return `${note}    ${printLiteral(name)}: ${code},`
  })
  const builtIns = new Set(rowsByName.map(([, { builtIn }]) => builtIn))
  return {
    authenticators: lines.join('\n'),
    authenticatorOptions: builtIns.size === 0 ? '_options' : `{ ${[...builtIns].join(', ')} }`,
  }
}

/** Returns what a team has to do before the credentials of its security schemes are accepted. */
export function listUnfinished(schemes: readonly SecurityScheme[]): readonly Task[] {
  return schemes.flatMap((scheme) => {
    const { advice } = rowOf(scheme)
    const where = `security scheme ${scheme.name}`
    return advice === undefined ? [] : [{ where, what: advice }]
  })
}

function rowOf(scheme: SecurityScheme): Row {
  return rows[credentialKind(scheme)](scheme)
}
