import fc from 'fast-check'
import { createContractIndex } from '../../support/traffic/contract-index.ts'
import type { Field } from '../../support/traffic/exchange.ts'
import type { Contract } from './contract.ts'
import type { DescribedOperation } from './described.ts'
import { callersKey } from './sent.ts'

/** The fields that say who calls. */
export function credentialsOf(contract: Contract, { schemes }: DescribedOperation): Field[] {
  return schemes.map((name) => credentialOf(contract, name))
}

function credentialOf({ root }: Contract, scheme: string): Field {
  const { locate } = createContractIndex(root)
  const described = locate(['components', 'securitySchemes', scheme])?.node ?? {}
  const kind = [described['type'], described['scheme'] ?? described['in']].join(' ').toLowerCase()
  if (kind === 'http bearer') return { name: 'Authorization', value: `Bearer ${callersKey}` }
  if (kind === 'apikey header') return { name: String(described['name']), value: callersKey }
  throw new Error(`The conformance run cannot authenticate with ${scheme}, which is ${kind}.`)
}

/** Ways to write a credential that is none. */
export function malformed({ name, value }: Field): fc.Arbitrary<readonly Field[]> {
  const token = fc.stringMatching(/^[A-Za-z0-9._~+/-]{1,60}=?$/)
  const texts = fc.oneof(
    fc.constantFrom(
      ...[callersKey, `Basic ${callersKey}`, `${value}x`, `x${value}`, `${value} x`, `${value},`],
      ...[value.replace(callersKey, ''), value.replace(callersKey, `"${callersKey}"`)],
      ...[value.replace(' ', ''), value.replace(' ', '='), `${value}, ${value}`],
    ),
    token.map((text) => value.replace(callersKey, text)),
    token,
  )
  // The key alone is the whole credential of another kind of scheme.
  const single = texts
    .filter((text) => text.trim() !== value)
    .map((text) => [{ name, value: text }])
  return fc.oneof(
    { weight: 8, arbitrary: single },
    fc.constant([
      { name, value },
      { name, value },
    ]),
  )
}
