/** Reads an answer to its last byte, and gives one that can be read by whoever comes next. */
export async function receive(response: Response): Promise<Response> {
  if (response.body === null) return response
  return new Response(await response.arrayBuffer(), response)
}

/** The same where nothing but the text is read next: it costs less than another answer. */
export async function receiveText(response: Response): Promise<Response> {
  const text = await response.text()
  return Object.assign(response, { text: async () => text })
}
