export type { components, operations, paths } from '../generated/openapi.d.ts'
export { type AnimalStore, type AnimalStoreOptions, createAnimalStore } from './client.ts'
export { AnimalStoreError, type ErrorDetail, type FailedCall, type RateLimit } from './error.ts'
export type { CallOptions, Method, Methods, OperationId } from './methods.ts'
