import type { Case } from '../support/case.ts'
import type { Contract } from '../support/contract.ts'
import type { DescribedOperation } from '../support/described.ts'
import { acceptedCases } from './accepted.ts'
import { bodyCases } from './body-cases.ts'
import { callerCases } from './caller-cases.ts'
import { parameterCases } from './parameter-cases.ts'
import { headCases, pathCases } from './path-cases.ts'
import { readBackCases } from './read-back.ts'
import { repeatedCases } from './repeated.ts'

/** Everything that is held against one operation by itself. */
export function casesOf(contract: Contract, operation: DescribedOperation): Case[] {
  return [
    ...acceptedCases(contract, operation),
    ...headCases(contract, operation),
    ...callerCases(contract, operation),
    ...parameterCases(contract, operation),
    ...bodyCases(contract, operation),
    ...repeatedCases(contract, operation),
  ]
}

/** Everything that is held against all operations together. */
export function sharedCases(contract: Contract): Case[] {
  return [...readBackCases(contract), ...pathCases(contract)]
}
