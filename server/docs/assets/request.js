import { sent, toTarget } from './subject.js'

/** @import { Filled, Subject } from './subject.js' */

/**
 * The request that a filled form stands for; throws when a header field cannot hold its value.
 *
 * @param {Subject} subject
 * @param {Filled} filled
 * @param {string} baseUrl
 * @param {string} key
 */
export function toRequest(subject, filled, baseUrl, key) {
  const { method, credential } = subject
  const headers = new Headers({ Accept: 'application/json, */*;q=0.1' })
  for (const { name, value } of sent(filled, 'header')) headers.set(name, value)
  if (credential && key !== '') headers.set(credential.header, `${credential.prefix}${key}`)
  if (filled.mediaType !== undefined) headers.set('Content-Type', filled.mediaType)
  /** @type {RequestInit} */
  const init = { method: method.toUpperCase(), headers, cache: 'no-store', credentials: 'omit' }
  if (filled.body !== undefined) init.body = filled.body
  return new Request(baseUrl + toTarget(subject, filled), init)
}
