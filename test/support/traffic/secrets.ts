import type { Field } from './exchange.ts'

const credentials = ['authorization', 'cookie', 'proxy-authorization', 'set-cookie']

/** Headers without their credentials: what is left says that one was sent, and of which scheme. */
export function withoutSecrets(headers: Headers): Field[] {
  return [...headers].map(([name, value]) => ({
    name,
    value: credentials.includes(name) ? hideCredential(value) : value,
  }))
}

function hideCredential(value: string): string {
  const [, scheme] = /^([A-Za-z]+) +\S/.exec(value) ?? []
  return scheme === undefined ? '[hidden]' : `${scheme} [hidden]`
}

/** A text without API keys, whole or in part, wherever they stand. */
export function hideKeys(text: string): string {
  return text.replaceAll(/ask_[0-9A-Za-z]+/g, '[hidden]')
}
