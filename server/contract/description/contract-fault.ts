import { PlainError } from '../../plain-error.ts'

/** A description that the service cannot run, with what to do about it. */
export class ContractFault extends PlainError {
  override readonly name = 'ContractFault'
}
