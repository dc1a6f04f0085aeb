/**
 * What has to be known of an operation to call it.
 *
 * @typedef {object} Subject
 * @property {string} operationId
 * @property {string} method In lower case, as OpenAPI writes it.
 * @property {string} path The path template under the base path.
 * @property {boolean} hasQuery Whether there are query parameters.
 * @property {boolean} isPaged Whether its answers are pages of a list.
 * @property {{ header: string, prefix: string } | undefined} [credential] Where the key goes.
 * @property {{ packageName: string, factory: string }} client The client of the service.
 */

/**
 * A parameter with the value that it is given.
 *
 * @typedef {object} Field
 * @property {'path' | 'query' | 'header' | 'cookie'} place
 * @property {string} name
 * @property {string} type The type of its schema, such as `integer`.
 * @property {string} items The type of the items of a list.
 * @property {boolean} explode Whether the values of a list are sent one by one.
 * @property {string} value As it is typed; empty where it is not sent.
 */

/**
 * What an operation is called with.
 *
 * @typedef {object} Filled
 * @property {readonly Field[]} fields
 * @property {string | undefined} body The text of the body.
 * @property {string | undefined} mediaType
 */

/**
 * The parameters of one place that have a value.
 *
 * @param {Filled} filled
 * @param {Field['place']} place
 */
export function sent({ fields }, place) {
  return fields.filter((field) => field.place === place && field.value !== '')
}

/**
 * The path and query of a call, to be put behind the base path.
 *
 * @param {Subject} subject
 * @param {Filled} filled
 */
export function toTarget({ path }, filled) {
  const values = new Map(sent(filled, 'path').map(({ name, value }) => [name, value]))
  const target = path.replaceAll(/\{([^{}]+)\}/g, (template, name) => {
    const value = values.get(name)
    return value === undefined ? template : encodeURIComponent(value)
  })
  const query = sent(filled, 'query').flatMap(toPairs)
  return query.length === 0 ? target : `${target}?${query.join('&')}`
}

/** @param {Field} field */
function toPairs({ name, value, type, explode }) {
  const parts = type === 'array' ? value.split(',').map((part) => part.trim()) : [value]
  const encoded = parts.map((part) => encodeURIComponent(part))
  const values = explode ? encoded : [encoded.join(',')]
  return values.map((one) => `${encodeURIComponent(name)}=${one}`)
}
