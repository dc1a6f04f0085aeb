import type { Rule } from '../rule.ts'

/** Requires that an operation is removed after the day on which it was deprecated. */
export const sunsetAfterDeprecation: Rule = () => ({
  Operation(operation, { location, report }) {
    const since = operation['x-deprecated-at']
    const sunset = operation['x-sunset']
    // Dates that are missing or no dates at all have rules of their own.
    if (typeof since !== 'string' || typeof sunset !== 'string' || since < sunset) {
      return
    }

    const message = `The sunset ${sunset} is not after the deprecation ${since}; give a later x-sunset.`
    report({ message, location: location.child('x-sunset') })
  },
})
