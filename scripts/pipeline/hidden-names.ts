// Redocly calls `hasOwnProperty` of what it reads, and fails on a property of that name. It is given another
// name, which has to be shown again in all that it returns.
const name = 'hasOwnProperty'

/** Ends in a character of private use, so that it is no name of a description. */
const hiddenName = `${name}\uE000`

/** Returns a value in which the name is hidden, as a name and in texts. */
export function hideNames(value: unknown): unknown {
  const json = JSON.stringify(value)
  return json?.includes(name) ? JSON.parse(json.replaceAll(name, hiddenName)) : value
}

/** Returns a value in which the name is shown. */
export function showNames<Value>(value: Value): Value {
  const json = JSON.stringify(value)
  return json?.includes(hiddenName) ? JSON.parse(json.replaceAll(hiddenName, name)) : value
}
