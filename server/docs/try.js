/**
 * @typedef {{ in: string, required?: boolean, name: string, example?: unknown, examples?: unknown }} Parameter
 * @typedef {{ servers: { url: string }[], components?: { parameters?: Record<string, Parameter> },
 *   paths: Record<string, Record<string, unknown>> }} Description
 */

const storageKey = 'authorizations'
const root = location.pathname.replace(/\/docs\/try$/, '')
const response = await fetch(`${root}/openapi.json`)
const ui = Object(window).SwaggerUIBundle({
  spec: prepare(await response.json()),
  dom_id: '#try',
  deepLinking: true,
  displayOperationId: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  // The curl command that it shows would hold the key.
  plugins: [{ components: { curl: () => null } }],
  // The key is kept for this tab, until it is cleared.
  onComplete() {
    const authorized = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    ui.authActions.restoreAuthorization({ authorized })
    ui.getStore().subscribe(() =>
      sessionStorage.setItem(storageKey, JSON.stringify(ui.authSelectors.authorized())),
    )
  },
  /** @param {{ headers: Record<string, string> }} request */
  requestInterceptor(request) {
    // Some enter the key with its scheme.
    const { Authorization: sent } = request.headers
    if (sent) request.headers['Authorization'] = sent.replace(/^(Bearer\s+)+/i, 'Bearer ')
    return request
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
