/**
 * @typedef {{ in: string, required?: boolean, name: string, example?: unknown, examples?: unknown }} Parameter
 * @typedef {Record<string, { value: string }>} Authorization By security scheme.
 * @typedef {{ servers: { url: string }[], components?: { parameters?: Record<string, Parameter> },
 *   paths: Record<string, Record<string, unknown>> }} Description
 */

const storageKey = 'api-key'
const root = location.pathname.replace(/\/docs\/try$/, '')
const response = await fetch(`${root}/openapi.json`)
const ui = Object(window).SwaggerUIBundle({
  spec: prepare(await response.json()),
  dom_id: '#try',
  deepLinking: true,
  displayOperationId: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [keepKey],
  onComplete() {
    const [scheme, key] = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]')
    if (scheme !== undefined) ui.preauthorizeApiKey(scheme, key)
  },
})

/**
 * Changes a description so that requests go to this service and begin as valid ones.
 *
 * @param {Description} description
 */
function prepare(description) {
  const basePath = description.servers[0]?.url.replace(/^\w+:\/\/[^/]*/, '') ?? ''
  description.servers = [{ url: root + basePath }]
  const operations = Object.values(description.paths).flatMap((item) => Object.values(item))
  const cursors = operations.map((operation) => Object(operation)['x-paginated-by'])
  const inline = operations.flatMap((operation) => Object(operation).parameters ?? [])
  for (const parameter of [...inline, ...Object.values(description.components?.parameters ?? {})]) {
    // The form sends the example of every parameter. That of a cursor is not valid, and optional
    // header fields, such as an idempotency key, are for the reader to choose.
    const isLeftEmpty = !parameter.required && parameter.in !== 'query'
    if (isLeftEmpty || cursors.includes(parameter.name)) {
      delete parameter.example
      delete parameter.examples
    }
  }
  return description
}

/** Keeps the API key for this tab, and out of the curl command that Swagger UI would show. */
function keepKey() {
  const wrapActions = { authorize: keep, logout: forget }
  return { wrapComponents: { curl: () => () => null }, statePlugins: { auth: { wrapActions } } }
}

/** @param {(authorization: Authorization) => unknown} authorize */
function keep(authorize) {
  /** @param {Authorization} authorization */
  return (authorization) => {
    for (const [scheme, entry] of Object.entries(authorization)) {
      entry.value = entry.value.trim().replace(/^Bearer\s+/i, '')
      sessionStorage.setItem(storageKey, JSON.stringify([scheme, entry.value]))
    }
    return authorize(authorization)
  }
}

/** @param {(schemes: string[]) => unknown} logout */
function forget(logout) {
  /** @param {string[]} schemes */
  return (schemes) => {
    sessionStorage.removeItem(storageKey)
    return logout(schemes)
  }
}
