import { OperatorError } from '../process/operator-error.ts'

/** A description that the service cannot run, with what to do about it. */
export class ContractError extends OperatorError {
  override readonly name = 'ContractError'
}
