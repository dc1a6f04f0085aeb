import { readKey } from './api-key.js'
import { toRequest } from './request.js'
import { showAnswer, showFault } from './result.js'
import { toClientSample, toCurlSample } from './samples.js'

/** @import { Field, Filled, Subject } from './subject.js' */

/**
 * Shows the form of an operation, lets it send its request, and keeps the samples beside it in step
 * with it.
 *
 * @param {Element} section
 * @param {string} baseUrl
 */
export function watchCall(section, baseUrl) {
  if (!(section instanceof HTMLElement)) return
  const form = putForm(section)
  if (form === undefined) return
  /** @type {Subject} */
  const subject = JSON.parse(section.dataset['subject'] ?? '')
  const refresh = () => {
    showSamples(section, subject, readForm(form), baseUrl)
    showCredential(form, subject)
  }
  form.addEventListener('input', refresh)
  form.querySelector('[data-examples]')?.addEventListener('input', (event) => {
    const body = form.querySelector('textarea')
    if (body && event.target instanceof HTMLSelectElement) body.value = event.target.value
    refresh()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form, subject, baseUrl)
  })
  document.addEventListener('key-changed', refresh)
  refresh()
}

/** @param {Element} section */
function putForm(section) {
  const template = section.querySelector('template[data-call]')
  if (!(template instanceof HTMLTemplateElement)) return undefined
  template.replaceWith(template.content)
  return section.querySelector('form') ?? undefined
}

/**
 * @param {HTMLFormElement} form
 * @returns {Filled}
 */
function readForm(form) {
  const inputs = [...form.querySelectorAll('[data-field]')]
  const fields = inputs.flatMap((input) => {
    if (!(input instanceof HTMLInputElement || input instanceof HTMLSelectElement)) return []
    /** @type {Omit<Field, 'value'>} */
    const about = JSON.parse(input.dataset['field'] ?? '')
    return [{ ...about, value: input.value }]
  })
  const area = form.querySelector('textarea')
  // An empty field is no body.
  const body = area?.value === '' ? undefined : area?.value
  return { fields, body, mediaType: body && area?.dataset['body'] }
}

/**
 * @param {Element} section
 * @param {Subject} subject
 * @param {Filled} filled
 * @param {string} baseUrl
 */
function showSamples(section, subject, filled, baseUrl) {
  const texts = {
    client: toClientSample(subject, filled, baseUrl),
    curl: toCurlSample(subject, filled, baseUrl),
  }
  for (const [name, text] of Object.entries(texts)) {
    const sample = section.querySelector(`[data-sample="${name}"]`)
    if (sample) sample.textContent = text
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {Subject} subject
 */
function showCredential(form, { credential }) {
  const note = form.querySelector('[data-credential]')
  if (!note || !credential) return
  note.textContent =
    readKey() === '' ? 'without an API key: enter one at the top' : 'with your API key'
}

/**
 * @param {HTMLFormElement} form
 * @param {Subject} subject
 * @param {string} baseUrl
 */
async function send(form, subject, baseUrl) {
  const result = form.querySelector('[data-result]')
  const button = form.querySelector('[type=submit]')
  if (!result || !(button instanceof HTMLButtonElement)) return
  button.disabled = true
  try {
    const request = toRequest(subject, readForm(form), baseUrl, readKey())
    const from = performance.now()
    const response = await fetch(request)
    const text = await response.text()
    showAnswer(result, response, text, performance.now() - from)
  } catch (error) {
    showFault(result, error)
  } finally {
    button.disabled = false
    const shown = result.querySelector('pre') ?? result
    shown.scrollIntoView({ block: 'nearest' })
  }
}
