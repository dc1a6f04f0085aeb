/**
 * Shows an answer: its status, its body and its header fields.
 *
 * @param {Element} place
 * @param {Response} response
 * @param {string} body
 * @param {number} milliseconds
 */
export function showAnswer(place, { status, statusText, headers }, body, milliseconds) {
  const badge = element('span', `${status} ${statusText}`.trim(), `status s${String(status)[0]}`)
  const size = new TextEncoder().encode(body).length
  const facts = element('span', `${Math.round(milliseconds)} ms, ${size} bytes`, 'muted')
  const line = element('p', '', 'outcome')
  line.append(badge, ' ', facts)
  place.replaceChildren(line, bodyText(body), headerTable(headers))
}

/**
 * Says that a request could not be sent, or that nothing came back.
 *
 * @param {Element} place
 * @param {unknown} error
 */
export function showFault(place, error) {
  const reason = error instanceof Error ? error.message : String(error)
  const text = `No answer came: ${reason}. See that the service runs and that the fields can be sent.`
  place.replaceChildren(element('p', text, 'fault'))
}

/** @param {Headers} headers */
function headerTable(headers) {
  const rows = [...headers].map(([name, value]) => {
    const row = element('tr')
    const head = element('th', name)
    head.setAttribute('scope', 'row')
    row.append(head, element('td', value))
    return row
  })
  const table = element('table')
  table.append(element('caption', 'Headers'), element('tbody'))
  table.querySelector('tbody')?.append(...rows)
  const box = element('div', '', 'scroll')
  box.tabIndex = 0
  box.append(table)
  return box
}

/** @param {string} body */
function bodyText(body) {
  const text = element('pre', body === '' ? 'The answer has no body.' : indented(body))
  text.tabIndex = 0
  return text
}

/** @param {string} body */
function indented(body) {
  // A long number would not survive it.
  if (/\d{16}/.test(body)) return body
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body
  }
}

/**
 * @param {string} name
 * @param {string} [text]
 * @param {string} [className]
 */
function element(name, text = '', className = '') {
  const made = document.createElement(name)
  made.textContent = text
  if (className !== '') made.className = className
  return made
}
