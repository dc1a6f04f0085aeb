/** A description that the service cannot run, with what to do about it. */
export class ContractFault extends Error {
  override readonly name = 'ContractFault'
}
