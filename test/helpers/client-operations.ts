import {
  acceptRules,
  createAccepted,
  createJson,
  createText,
  readAccepted,
} from '../../client/accepted-content.ts'
import {
  sendBasic,
  sendBearer,
  sendInCookie,
  sendInHeader,
  sendInQuery,
} from '../../client/credentials.ts'
import { readDeclared } from '../../client/declared-responses.ts'
import { createDownload, readDownload } from '../../client/downloads.ts'
import { readAnyError } from '../../client/error-formats.ts'
import { createEventStream, eventRules } from '../../client/event-stream.ts'
import { writeForm, writeMultipart } from '../../client/forms.ts'
import { readBody, streamRules } from '../../client/item-stream.ts'
import { writeLines } from '../../client/lines.ts'
import { createLinkedList } from '../../client/link-pages.ts'
import type { Operation } from '../../client/operation.ts'
import { createAnyList } from '../../client/page-styles.ts'
import { uploadRules } from '../../client/request-content.ts'
import { readHeaders } from '../../client/response-headers.ts'
import { readStructuredHeaders } from '../../client/structured-headers.ts'
import { cookieRules, writeStyled } from '../../client/styled-parameters.ts'
import { readText } from '../../client/text-content.ts'
import { prepareUpload, writeBytes, writeJson, writeText } from '../../client/uploads.ts'
import { createValueStream } from '../../client/value-stream.ts'
import { readCalls } from '../../scripts/pipeline/call-rows.ts'
import { ClientExport, type clientExports } from '../../scripts/pipeline/client-exports.ts'
import type { Description } from '../../server/description/description.ts'
import { isObject } from '../../server/description/json.ts'

/** What entries of `generated/calls.ts` import. */
const exported: Readonly<Record<keyof typeof clientExports, unknown>> = {
  writeStyled,
  cookieRules,
  createLinkedList,
  createAnyList,
  readHeaders,
  readStructuredHeaders,
  readDeclared,
  createEventStream,
  eventRules,
  createValueStream,
  streamRules,
  readBody,
  createDownload,
  readDownload,
  acceptRules,
  readAccepted,
  createAccepted,
  createText,
  createJson,
  readText,
  prepareUpload,
  uploadRules,
  writeJson,
  writeText,
  writeBytes,
  writeLines,
  writeForm,
  writeMultipart,
  readAnyError,
  sendBearer,
  sendBasic,
  sendInHeader,
  sendInQuery,
  sendInCookie,
}

/** An operation whose API takes API keys as the bearer token. */
export type ClientOperation = Operation & { readonly security?: never }

/** Returns the entries that `generated/calls.ts` has for a description, with what they import. */
export function readClientOperations(
  description: Description,
): Readonly<Record<string, ClientOperation>> {
  // What is generated has these types.
  return withExports(readCalls(description)) as Readonly<Record<string, ClientOperation>>
}

function withExports(value: unknown): unknown {
  if (value instanceof ClientExport) {
    return Object.entries(exported).find(([name]) => name === value.name)?.[1]
  }
  if (Array.isArray(value)) {
    return value.map(withExports)
  }
  if (!isObject(value)) {
    return value
  }
  const members = Object.entries(value).map(([key, member]) => [key, withExports(member)] as const)
  return Object.fromEntries(members)
}
