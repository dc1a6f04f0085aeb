import type { Pet } from '../../../server/api/schema.ts'
import { readServedApi } from '../../../server/served-api.ts'
import {
  type JsonObject,
  type Operation,
  readDescription,
  toList,
  toObject,
} from '../../helpers/conformance/description.ts'

// The limits of the contract: an edit of the spec breaks no test. They are found from the operations,
// because a component may be renamed, inlined or moved to another file.

const { operations, resolve } = readDescription(readServedApi().description)
const listPets = findOperation('listPets')
const createPet = findOperation('createPet')

const { minimum, maximum, default: usual } = schemaOfParameter(listPets, 'limit')
export const minLimit = Number(minimum)
export const maxLimit = Number(maximum)
export const usualLimit = Number(usual)

const { enum: statuses = [] } = schemaOfParameter(listPets, 'status')
export const petStatuses = toList(statuses) as NonNullable<Pet['status']>[]

const { name, categoryId } = toObject(resolve(createPet.body?.media['schema'])['properties'])
export const maxNameLength = Number(resolve(name)['maxLength'])
export const namePattern = String(resolve(name)['pattern'])
export const minId = Number(resolve(categoryId)['minimum'])
export const maxId = Number(resolve(categoryId)['maximum'])

function findOperation(operationId: string): Operation {
  const found = operations.find((operation) => operation.operationId === operationId)
  if (found === undefined) {
    throw new Error(`There is no operation ${operationId} any more.`)
  }
  return found
}

function schemaOfParameter({ parameters }: Operation, parameter: string): JsonObject {
  const found = parameters.find(({ at }) => at[1] === parameter)
  return resolve(found?.['schema'])
}
