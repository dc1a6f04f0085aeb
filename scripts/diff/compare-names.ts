import type { Operation } from '../../server/description/description.ts'
import { toChild } from '../../server/description/pointer.ts'
import { isUsable } from '../pipeline/code-names.ts'
import { serviceLocation } from './compared-description.ts'
import type { Recorder } from './recorder.ts'
import type { Pair } from './words.ts'

/** Compares the operationIds of two operations, and their names in code. */
export function compareNames(
  pair: Pair,
  recorder: Recorder,
  base: Operation,
  current: Operation,
  subject: string,
): void {
  if (base.operationId !== current.operationId) {
    const facts = { subject, before: base.operationId, after: current.operationId }
    const changed =
      current.operationId === undefined ? 'api-operation-id-removed' : 'api-operation-id-changed'
    const id = base.operationId === undefined ? 'api-operation-id-added' : changed
    const [before, after] = [base, current].map(({ at: { file, pointer } }) => {
      return { file, pointer: toChild(pointer, 'operationId') }
    })
    recorder.record(id, facts, { base: before, current: after })
  }

  const [before, after] = [base, current].map(nameInCode)
  const isOfService = base.codeName !== undefined || current.codeName !== undefined
  // The operation of a release that kept no service.yaml may have had a name that is not known.
  if (!isOfService || before === undefined || after === undefined || before === after) {
    return
  }
  const keys = ['operations', current.name, 'name']
  const places = {
    base: serviceLocation(pair.base.service, keys) ?? base.at,
    current: serviceLocation(pair.current.service, keys) ?? current.at,
  }
  recorder.record('api-operation-name-changed', { subject, before, after }, places)
}

/** Returns the name of an operation in code; undefined if it has none that can be used. */
function nameInCode({ codeName, operationId }: Operation): string | undefined {
  const isName = operationId !== undefined && isUsable(operationId)
  return codeName ?? (isName ? operationId : undefined)
}
