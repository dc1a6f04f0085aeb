/**
 * @typedef {{ operationId?: string, method: string, path: string }} NamedOperation
 * @typedef {{ operationId?: string, tags?: string[] }} Operation
 * @typedef {{ paths?: Record<string, Record<string, Operation>> }} Description
 * @typedef {{ name: string, value: string }} Cookie
 * @typedef {Cookie & { in: string }} Credential
 * @typedef {{ source: string }} CodeSample
 * @typedef {{ type?: string, key: string, value: unknown }} FormField
 * @typedef {{ mode: string, value: unknown }} RequestBody
 * @typedef {{ cookies: Cookie[], security: Credential[], body?: RequestBody | null }} RequestBuilder
 * @typedef {{ createApiReference(selector: string, options: object): void }} Scalar
 */

// The script of the page before this one sets it.
const { Scalar } = /** @type {Window & { Scalar: Scalar }} */ (/** @type {unknown} */ (window))

const page = document.getElementById('reference')
// Where this page is and where the API is, both below the root of the service.
const { path = '', basePath = '' } = page?.dataset ?? {}
const root = location.pathname.slice(0, -path.length)
/** @type {Description} */
const description = JSON.parse(
  document.getElementById('description')?.textContent ?? '{}',
  completeSamples,
)
const operations = Object.values(description.paths ?? {}).flatMap((item) => Object.values(item))

// Scalar's own colours have less contrast than WCAG 2 asks for.
const customCss = `
  .light-mode {
    --scalar-color-3: #696969;
    --scalar-color-green: #00734a;
    --scalar-color-orange: #ad4300;
    --scalar-color-red: #b80000;
    --scalar-color-yellow: #856000;
  }
  .dark-mode {
    --scalar-color-3: #979797;
    --scalar-color-red: #ff7070;
  }
`

Scalar.createApiReference('#reference', {
  content: description,
  customCss,
  servers: [{ url: root + basePath }],
  // Samples are those of the description: our client and curl.
  hiddenClients: true,
  documentDownloadType: 'none',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  generateOperationSlug: slugOf,
  generateTagSlug: slugOfTag,
  // Links to operations have this form, however the page arranges them.
  redirect: toShownAddress,
  // Nothing is loaded from other hosts, and nothing is sent to them.
  withDefaultFonts: false,
  proxyUrl: '',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  onBeforeRequest: prepareRequest,
  onRequestBuilt: correctScheme,
  onResponseReceived: showResponse,
  // A credential is gone when the page is closed.
  persistAuth: false,
})

// The page follows such links when it is loaded, and not when they are clicked.
addEventListener('hashchange', () => {
  const shown = toShownAddress(location.hash)
  if (shown !== null) {
    location.replace(shown)
  }
})

/**
 * Writes the URL of the API into samples, so that they call the service of this page.
 *
 * @param {string} key
 * @param {unknown} value
 */
function completeSamples(key, value) {
  if (key !== 'x-codeSamples' || !Array.isArray(value)) {
    return value
  }
  const samples = /** @type {CodeSample[]} */ (value)
  return samples.map((sample) => {
    const baseUrl = location.origin + root + basePath
    return { ...sample, source: sample.source.replace('{baseUrl}', () => baseUrl) }
  })
}

// Scalar writes these roles again when it updates the form.
new MutationObserver(completeRoles).observe(document.body, {
  subtree: true,
  childList: true,
  attributeFilter: ['role', 'aria-expanded', 'aria-controls', 'tabindex'],
})

/**
 * Completes Scalar's form for assistive technology: fields that suggest values have the state of their lists,
 * buttons for help are buttons, bodies have names, and can be scrolled by keyboard where they cannot be edited.
 */
function completeRoles() {
  for (const body of document.querySelectorAll('.cm-content[role=textbox]:not([aria-label])')) {
    const isSent = body.closest('section[aria-label=Response]') === null
    body.setAttribute('aria-label', isSent ? 'Request body' : 'Response body')
  }
  for (const scroller of document.querySelectorAll(
    '.cm-scroller[tabindex="-1"]:has(> [contenteditable=false])',
  )) {
    scroller.setAttribute('tabindex', '0')
  }
  // Until a value is chosen, such a list has no name.
  for (const button of document.querySelectorAll('button[aria-haspopup=menu]:not([title])')) {
    if (button.textContent.trim() === '') {
      button.setAttribute('title', 'Value')
    }
  }
  // They name an element that is not there.
  for (const button of document.querySelectorAll('button[aria-label="Copy code"][aria-controls]')) {
    button.removeAttribute('aria-controls')
  }
  for (const field of document.querySelectorAll('[role=combobox]:not([aria-expanded])')) {
    field.setAttribute('aria-expanded', 'false')
  }
  for (const button of document.querySelectorAll('button[role=none]')) {
    button.removeAttribute('role')
  }
}

/** @param {NamedOperation} operation */
function slugOf({ operationId, method, path: template }) {
  return operationId ?? `${method}${template}`
}

/** @param {{ requestBuilder: RequestBuilder }} built */
function prepareRequest({ requestBuilder }) {
  setCookies(requestBuilder)
  removeEmptyFields(requestBuilder)
}

/**
 * Sets the cookies of a request: browsers let no page set the header field itself. Once it is sent, none may be
 * left.
 *
 * @param {RequestBuilder} requestBuilder
 */
function setCookies(requestBuilder) {
  const { cookies, security } = requestBuilder
  const credentials = security.filter((credential) => credential.in === 'cookie')
  for (const { name, value } of [...cookies, ...credentials]) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is for secure pages alone.
    document.cookie = `${name}=${value}; Path=/; Max-Age=5; SameSite=Strict`
  }
  requestBuilder.cookies = []
  requestBuilder.security = security.filter((credential) => credential.in !== 'cookie')
}

/**
 * Removes the fields of a form that the reader left empty: a field without a value is not the empty text.
 *
 * @param {RequestBuilder} requestBuilder
 */
function removeEmptyFields({ body }) {
  if (body?.mode === 'formdata' || body?.mode === 'urlencoded') {
    const fields = /** @type {FormField[]} */ (body.value)
    const filled = fields.map((field) => ({ ...field, value: withoutEmpty(field.value) }))
    body.value = filled.filter(({ value }) => value !== '')
  }
}

/**
 * Returns the value of a field without the members that are empty, if it is the JSON of an object.
 *
 * @param {unknown} value
 */
function withoutEmpty(value) {
  if (typeof value !== 'string' || !/^\{.*""/s.test(value)) {
    return value
  }
  try {
    const text = JSON.stringify(JSON.parse(value, (_, each) => (each === '' ? undefined : each)))
    return text === '{}' ? '' : text
  } catch {
    return value
  }
}

/**
 * Some enter a key with its scheme.
 *
 * @param {{ request: Request }} sent
 */
function correctScheme({ request: { headers } }) {
  const authorization = headers.get('Authorization') ?? ''
  if (authorization !== '') {
    headers.set('Authorization', authorization.replace(/^(Bearer\s+)+/i, 'Bearer '))
  }
}

/** Shows the response where it is below the form, as on a phone, where nothing else says that it is there. */
function showResponse() {
  requestAnimationFrame(() => {
    const response = document.querySelector('section[aria-label=Response]')
    if (response !== null && response.getBoundingClientRect().top > innerHeight / 2) {
      response.scrollIntoView()
    }
  })
}

/** @param {{ name?: string }} tag */
function slugOfTag({ name = '' }) {
  return name.trim().toLowerCase().replaceAll(/\s+/g, '-')
}

/**
 * Returns where the page shows an operation, from an address such as `#operation/addOrder`.
 *
 * @param {string} hash
 */
function toShownAddress(hash) {
  const [, operationId] = /^#operation\/(.+)$/.exec(hash) ?? []
  const operation = operations.find((each) => each.operationId === operationId)
  if (operationId === undefined || operation === undefined) {
    return null
  }
  const [tag = 'default'] = operation.tags ?? []
  return `#tag/${slugOfTag({ name: tag })}/${operationId}`
}
