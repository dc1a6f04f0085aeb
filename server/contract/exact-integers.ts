import type { Description } from '../description/description.ts'
import { truncateDetails, withoutReported } from './details.ts'
import { invalidRequest } from './errors.ts'
import { type LargeIntegers, readLargeIntegers, readLargeParameters } from './large-integers.ts'
import type { Operation } from './operation.ts'
import type { RequestValues, SentParameters } from './parameters.ts'

/** Texts of integers that double precision may not hold, by JSON Pointers such as `/body/id`. */
type ExactTexts = ReadonlyMap<string, string>

/** Finds the exact texts of the large integers in requests of an operation; the values are the nearest numbers. */
export class ExactIntegers {
  readonly #description: Description
  readonly #operation: Operation
  readonly #knownNames: ReadonlySet<string>

  constructor(description: Description, operation: Operation, knownNames: ReadonlySet<string>) {
    this.#description = description
    this.#operation = operation
    this.#knownNames = knownNames
  }

  /** Returns parameters with the exact texts that their schemas accept, which do not count as rounded. */
  withExact(parameters: SentParameters): SentParameters {
    const { large, rounded } = parameters
    if (large === undefined || large.isEmpty) {
      return parameters
    }
    const { exact, details } = readLargeParameters(
      this.#description,
      this.#operation,
      parameters,
      large,
    )
    const otherDetails = withoutReported(rounded, details).filter(({ path }) => !exact.has(path))
    return { ...parameters, exact, rounded: [...otherDetails, ...details] }
  }

  /** Returns the exact texts in a valid request; undefined if it has none. Throws if a schema of its body accepts no such integer. */
  findIn(
    { exact }: SentParameters,
    values: RequestValues,
    largeInBody: LargeIntegers | undefined,
  ): ExactTexts | undefined {
    const exactInBody = largeInBody && this.#findInBody(values, largeInBody)
    if (exact === undefined || exactInBody === undefined) {
      return exact ?? exactInBody
    }
    return new Map([...exact, ...exactInBody])
  }

  #findInBody(values: RequestValues, large: LargeIntegers): ExactTexts {
    const { exact, details } = readLargeIntegers(this.#description, this.#operation, values, large)
    if (details.length > 0) {
      throw invalidRequest(truncateDetails(details, this.#knownNames), details.length)
    }
    return exact
  }
}
