import type { components } from '../../../generated/openapi.d.ts'
import contract from '../../../generated/openapi.json' with { type: 'json' }

const { parameters, schemas } = contract.components

// The limits of the contract: an edit of the spec breaks no test.
export const { maxLength: maxNameLength } = schemas.PetFields.properties.name
export const { minimum: minLimit, maximum: maxLimit, default: usualLimit } = parameters.Limit.schema
export const { minimum: minId, maximum: maxId } = schemas.Id
export const petStatuses = schemas.PetStatus.enum as components['schemas']['PetStatus'][]
