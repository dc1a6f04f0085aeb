import type { Json } from '../../support/traffic/contract-index.ts'
import { headerValue } from '../../support/traffic/exchange.ts'
import type { Bench } from '../support/case.ts'
import type { Contract } from '../support/contract.ts'
import { credentialsOf } from '../support/credentials.ts'
import type { DescribedOperation } from '../support/described.ts'
import type { Draft } from '../support/draft.ts'
import { type Sent, send } from '../support/sent.ts'

/** Everything that a list has, page by page, along the links to the next one. */
export async function walk(first: Sent, { target }: Bench, key: string): Promise<Json[]> {
  const items: Json[] = []
  for (let sent: Sent | undefined = first; sent !== undefined; ) {
    const answer = await send(target, sent, key)
    const page = parse(answer.body)
    if (answer.status !== 200 || !Array.isArray(page)) return items
    items.push(...page)
    const link = headerValue(answer.headers, 'Link') ?? ''
    const next = /<([^>]*)>;\s*rel="next"/.exec(link)?.[1]
    sent = next === undefined ? undefined : { ...first, path: next }
  }
  return items
}

/** A request with nothing in it but who calls, and of another one what their paths share. */
export function emptyDraft(contract: Contract, operation: DescribedOperation, like: Draft): Draft {
  const credentials = credentialsOf(contract, operation)
  const none = { query: [], fields: [], mediaType: undefined, body: undefined }
  return { operation, credentials, ...none, texts: sharedTexts(operation, like) }
}

/** What stands in the paths of both. */
export function sharedTexts({ parameters }: DescribedOperation, { texts }: Draft): Draft['texts'] {
  const ofPath = [...texts].filter(([{ in: place }]) => place === 'path')
  const shared = parameters.flatMap((parameter) =>
    ofPath
      .filter(([{ name }]) => parameter.in === 'path' && parameter.name === name)
      .map(([, text]) => [parameter, text] as const),
  )
  return new Map(shared)
}

export function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
