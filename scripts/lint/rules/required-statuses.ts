import { type JsonObject, toObject } from '../../../server/description/json.ts'
import { resolve } from '../resolved.ts'
import type { Rule } from '../rule.ts'
import { explainMissing } from './missing-additions.ts'

const ofEveryOperation = ['400', '401', '406', '429', '500', '503']
const ofBodies = ['413', '415']
const ofUndeclaredOperations = ['204', '401', '404', '405', '429', '500', '503']

/** Returns whether responses have a status, its range or a default. */
function isDeclared(status: string, responses: JsonObject): boolean {
  const names = [status, `${status.charAt(0)}XX`, 'default']
  return names.some((name) => name in responses)
}

/** Requires of every operation the statuses that the service can give for it. */
export const operationStatuses: Rule = () => ({
  Operation(operation, context) {
    const place = context.location.child('responses')
    const responses = resolve(operation['responses'], place, context)
    if (operation['responses'] === undefined || responses === undefined) {
      return
    }

    const missing = ofEveryOperation.filter((status) => !isDeclared(status, responses.node))
    if (missing.length === 0) {
      return
    }

    const advice = explainMissing('responses')
    const message = `The service can give these statuses for every operation. ${advice} Missing: ${missing.join(', ')}.`
    context.report({ message, location: responses.location.key() })
  },
})

/** Requires of every operation with a body the statuses that the service can give for bodies. */
export const bodyStatuses: Rule = () => ({
  Operation(operation, context) {
    const place = context.location.child('responses')
    const responses = resolve(operation['responses'], place, context)
    if (operation['requestBody'] === undefined || responses === undefined) {
      return
    }

    const missing = ofBodies.filter((status) => !isDeclared(status, responses.node))
    if (missing.length === 0) {
      return
    }

    const advice = explainMissing('requestBodyResponses')
    const message = `The service can give these statuses for every operation with a body. ${advice} Missing: ${missing.join(', ')}.`
    context.report({ message, location: responses.location.key() })
  },
})

/** Requires the statuses that the service can give where no operation matches. */
export const undeclaredStatuses: Rule = () => ({
  Root(root, { location, report }) {
    const key = 'x-undeclared-operations'
    const declared = root[key]
    if (declared === undefined) {
      return
    }

    const missing = ofUndeclaredOperations.filter((status) => !(status in toObject(declared)))
    if (missing.length === 0) {
      return
    }

    const message = `The service can give these statuses where no operation matches. Missing: ${missing.join(', ')}.`
    report({ message, location: location.child(key) })
  },
})
