export { errorObject as errorFormat } from '../contract/error-format.ts'
