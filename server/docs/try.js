/**
 * @typedef {{ in: string, required?: boolean, name: string, example?: unknown, examples?: unknown }} Parameter
 * @typedef {{ parameters?: Parameter[], 'x-paginated-by'?: string,
 *   'x-redoclyPagination'?: { cursorParam?: string } }} Operation
 * @typedef {{ type: string, description?: string }} SecurityScheme
 * @typedef {{
 *   parameters?: Record<string, Parameter>, securitySchemes?: Record<string, SecurityScheme>,
 * }} Components
 * @typedef {{ servers: { url: string }[], components?: Components,
 *   paths: Record<string, Record<string, Operation>> }} Description
 * @typedef {{
 *   authActions: { restoreAuthorization(options: { authorized: unknown }): void },
 *   authSelectors: { authorized(): unknown },
 *   getStore(): { subscribe(listener: () => void): void },
 * }} SwaggerUI
 */

// The script of the page before this one sets it.
const { SwaggerUIBundle } =
  /** @type {Window & { SwaggerUIBundle: (options: object) => SwaggerUI }} */ (
    /** @type {unknown} */ (window)
  )

const storageKey = 'authorizations'
// Where this page is and where the API is, both below the root of the service.
const { path = '', basePath = '' } = document.getElementById('try')?.dataset ?? {}
const root = location.pathname.slice(0, -path.length)
const response = await fetch('../openapi.json')
const ui = SwaggerUIBundle({
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
    const { Authorization: sent, Cookie: cookie } = request.headers
    if (sent) {
      request.headers['Authorization'] = sent.replace(/^(Bearer\s+)+/i, 'Bearer ')
    }
    // Browsers let no page set the header itself. Once the credentials are cleared, none may be left.
    if (cookie) {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is for secure pages alone.
      document.cookie = `${cookie}; Path=/; Max-Age=5; SameSite=Strict`
    }
    return request
  },
})

/**
 * Changes a description so that requests go to this service and begin as valid ones.
 *
 * @param {Description} description
 */
function prepare(description) {
  description.servers = [{ url: root + basePath }]
  const items = Object.values(description.paths)
  const operations = items.flatMap((item) => Object.values(item))
  for (const part of [...items, ...operations]) {
    Reflect.deleteProperty(part, 'servers')
  }
  const cursors = operations.map(
    (operation) => operation['x-paginated-by'] ?? operation['x-redoclyPagination']?.cursorParam,
  )
  const inline = operations.flatMap((operation) => operation.parameters ?? [])
  for (const parameter of [...inline, ...Object.values(description.components?.parameters ?? {})]) {
    // The form sends the example of every parameter. That of a cursor is not valid, and optional
    // header fields, such as an idempotency key, are for the reader to choose.
    const isLeftEmpty = !parameter.required && parameter.in !== 'query'
    if (isLeftEmpty || cursors.includes(parameter.name)) {
      delete parameter.example
      delete parameter.examples
    }
  }
  for (const scheme of Object.values(description.components?.securitySchemes ?? {})) {
    takeTokens(scheme)
  }
  return description
}

/**
 * Has the page ask for a token: it is on another host than the provider, whose forms it cannot open.
 *
 * @param {SecurityScheme} scheme
 */
function takeTokens(scheme) {
  if (scheme.type === 'oauth2' || scheme.type === 'openIdConnect') {
    Object.assign(scheme, { type: 'http', scheme: 'bearer' })
  }
}
