// The format of this API for errors: the platform's own Error object.
export { errorObject as errorFormat } from '../contract/error-format.ts'
