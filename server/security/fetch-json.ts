/** Bytes of a response at most: many times the keys of a provider, and little to parse. */
const maxBytes = 256_000

/** Fetches a JSON document; rejects with an error whose message says why there is none. */
export async function fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
  // A redirect could lead away from the host that is trusted.
  const options = { signal, redirect: 'manual', headers: { Accept: 'application/json' } } as const
  const response = await fetch(url, options)
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`it responds with status ${response.status}`)
  }

  const text = await readText(response)
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('its response is not JSON')
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) {
      throw new Error(`its response has more than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
