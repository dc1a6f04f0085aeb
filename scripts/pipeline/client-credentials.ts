import { inspect } from 'node:util'
import type { Description, Operation } from '../../server/description/description.ts'
import { credentialKind, type SecurityScheme } from '../../server/description/security.ts'
import {
  hasBearerKeysAlone,
  schemesNamed,
  schemesOfOperations,
  sentCredentials,
  sentSecurity,
} from './sent-credentials.ts'

/** The variables of the environment that samples read credentials from, by the kind of credentials. */
const variables = { apiKey: 'KEY', token: 'TOKEN', password: 'PASSWORD', other: '' } as const

/** Returns the name of the variable that samples read the credentials of a scheme from. */
export function variableOf(scheme: SecurityScheme): string {
  return variables[credentialKind(scheme)]
}

/** Returns the schemes whose credentials a client sends with an operation: those of its first combination. */
export function schemesOfSample(
  description: Description,
  operation: Operation,
): readonly SecurityScheme[] {
  const [first = new Map()] = sentSecurity(description, operation).filter(({ size }) => size > 0)
  return schemesNamed(description, first.keys())
}

/** Returns the option of the client that has its credentials; without an operation, those of all schemes. */
export function printCredentialsOption(description: Description, operation?: Operation): string {
  if (hasBearerKeysAlone(description)) {
    return `apiKey: process.env['KEY'] ?? ''`
  }

  const schemes =
    operation === undefined
      ? schemesOfOperations(description)
      : schemesOfSample(description, operation)
  return printCredentials(schemes, (scheme) => `process.env['${variableOf(scheme)}'] ?? ''`)
}

/** Returns the option `credentials` of the client, with the secret of each scheme as code. */
export function printCredentials(
  schemes: readonly SecurityScheme[],
  printSecret: (scheme: SecurityScheme) => string,
): string {
  const sentSchemes = schemes.filter((scheme) => sentCredentials(scheme) !== undefined)
  const entries = sentSchemes.map((scheme) => {
    const { name } = scheme
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : inspect(name)
    const secret = printSecret(scheme)
    const isPassword = credentialKind(scheme) === 'password'
    return `${key}: ${isPassword ? `{ username: 'me', password: ${secret} }` : secret}`
  })
  if (entries.length > 1) {
    const lines = entries.map((entry) => `    ${entry},\n`)
    return `credentials: {\n${lines.join('')}  }`
  }
  return entries.length === 0 ? 'credentials: {}' : `credentials: { ${entries.join('')} }`
}
