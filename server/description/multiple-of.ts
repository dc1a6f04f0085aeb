/** Returns whether a number is a multiple of another one, both as they are written in decimal digits. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) {
    return value % divisor === 0
  }

  const decimalValue = toDecimal(value)
  const decimalDivisor = toDecimal(divisor)
  const places = Math.max(decimalValue.places, decimalDivisor.places)
  return scale(decimalValue, places) % scale(decimalDivisor, places) === 0n
}

/** A number as an integer of which some digits are decimal places. */
interface Decimal {
  readonly digits: bigint
  readonly places: number
}

function toDecimal(value: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole, fraction = ''] = mantissa.split('.')
  return { digits: BigInt(`${whole}${fraction}`), places: fraction.length - Number(exponent) }
}

function scale({ digits, places }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - places)
}
