/** The types of the client that only some methods have, for content that is not JSON and headers, by their files. */
const clientTypes: Readonly<Record<string, readonly string[]>> = {
  'accepted-content.ts': ['AcceptOptions'],
  'event-stream.ts': ['EventOptions'],
  'item-stream.ts': ['ItemOf', 'ItemStream', 'StreamOptions'],
  'lines.ts': ['LinesBody'],
  'downloads.ts': ['DownloadResult'],
  'forms.ts': ['FormBody'],
  'request-content.ts': ['UploadOptions'],
  'types.ts': ['DataWithHeaders', 'HeadersResult'],
  'uploads.ts': ['BytesBody'],
}

/** The names of these types. */
export const clientTypeNames: readonly string[] = Object.values(clientTypes).flat()

/**
 * Prints the imports of the types that are in use, and exports them with what belongs to them: code that wraps a
 * call has to name its types. `folder` is that of the client, seen from the module.
 */
export function printTypeImports(used: readonly string[], folder: string): string {
  const lines = Object.entries(clientTypes).map(([file, names]) => {
    const imported = names.filter((name) => used.includes(name)).join(', ')
    const exportLine = `export type { ${names.join(', ')} } from '${folder}/${file}'\n`
    const importLine = `import type { ${imported} } from '${folder}/${file}'\n`
    return imported === '' ? '' : importLine + exportLine
  })
  return lines.join('')
}

/** What entries of `generated/calls.ts` import of the client: a function, or the rules of options. */
export class ClientExport {
  readonly name: string
  /** Its file in `client/`. */
  readonly file: string

  constructor(name: string, file: string) {
    this.name = name
    this.file = file
  }
}

/** The exports for what only some operations have; an application ships those that its operations name. */
export const clientExports = {
  writeStyled: new ClientExport('writeStyled', 'styled-parameters.ts'),
  cookieRules: new ClientExport('cookieRules', 'styled-parameters.ts'),
  createLinkedList: new ClientExport('createLinkedList', 'link-pages.ts'),
  createAnyList: new ClientExport('createAnyList', 'page-styles.ts'),
  readHeaders: new ClientExport('readHeaders', 'response-headers.ts'),
  readStructuredHeaders: new ClientExport('readStructuredHeaders', 'structured-headers.ts'),
  readDeclared: new ClientExport('readDeclared', 'declared-responses.ts'),
  createEventStream: new ClientExport('createEventStream', 'event-stream.ts'),
  eventRules: new ClientExport('eventRules', 'event-stream.ts'),
  createValueStream: new ClientExport('createValueStream', 'value-stream.ts'),
  streamRules: new ClientExport('streamRules', 'item-stream.ts'),
  readBody: new ClientExport('readBody', 'item-stream.ts'),
  createDownload: new ClientExport('createDownload', 'downloads.ts'),
  readDownload: new ClientExport('readDownload', 'downloads.ts'),
  acceptRules: new ClientExport('acceptRules', 'accepted-content.ts'),
  readAccepted: new ClientExport('readAccepted', 'accepted-content.ts'),
  createAccepted: new ClientExport('createAccepted', 'accepted-content.ts'),
  createText: new ClientExport('createText', 'accepted-content.ts'),
  createJson: new ClientExport('createJson', 'accepted-content.ts'),
  readText: new ClientExport('readText', 'text-content.ts'),
  prepareUpload: new ClientExport('prepareUpload', 'uploads.ts'),
  uploadRules: new ClientExport('uploadRules', 'request-content.ts'),
  writeJson: new ClientExport('writeJson', 'uploads.ts'),
  writeText: new ClientExport('writeText', 'uploads.ts'),
  writeBytes: new ClientExport('writeBytes', 'uploads.ts'),
  writeLines: new ClientExport('writeLines', 'lines.ts'),
  writeForm: new ClientExport('writeForm', 'forms.ts'),
  writeMultipart: new ClientExport('writeMultipart', 'forms.ts'),
  readAnyError: new ClientExport('readAnyError', 'error-formats.ts'),
  sendBearer: new ClientExport('sendBearer', 'credentials.ts'),
  sendBasic: new ClientExport('sendBasic', 'credentials.ts'),
  sendInHeader: new ClientExport('sendInHeader', 'credentials.ts'),
  sendInQuery: new ClientExport('sendInQuery', 'credentials.ts'),
  sendInCookie: new ClientExport('sendInCookie', 'credentials.ts'),
} as const

/** Prints the imports of the exports in a value; `folder` is that of the client, seen from the module. */
export function printClientImports(value: unknown, folder: string): string {
  const used = exportsIn(value)
  const files = [...new Set(used.map(({ file }) => file))].sort()
  const lines = files.map((file) => {
    const names = used.filter((each) => each.file === file).map(({ name }) => name)
    return `import { ${[...new Set(names)].sort().join(', ')} } from '${folder}/${file}'\n`
  })
  return lines.join('')
}

function exportsIn(value: unknown): readonly ClientExport[] {
  if (value instanceof ClientExport) {
    return [value]
  }
  const isParent = typeof value === 'object' && value !== null
  return isParent ? Object.values(value).flatMap(exportsIn) : []
}
