import { toObject } from './description.ts'

/** The path that a server's URL ends in, its variables at their defaults; '' when there is none. */
export function readBasePath(server: unknown): string {
  const { url, variables } = toObject(server)
  const filled = String(url ?? '').replaceAll(/\{([^{}]*)\}/g, (whole, name) =>
    String(toObject(toObject(variables)[name])['default'] ?? whole),
  )
  // Not `new URL`, which refuses a host whose variable has no default.
  const path = filled.replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i, '').replace(/[?#].*$/, '')
  return path.replace(/^(?=[^/])/, '/').replace(/\/+$/, '')
}
