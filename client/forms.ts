import { writeParameter } from './parameter-style.ts'
import { isRecord } from './record.ts'
import type { FieldContent, WriteContent } from './request-content.ts'

/** A file of a form: a `Blob`, a `File`, which has a name, or its content with a name and a media type. */
export type FormFile =
  | Blob
  | {
      readonly content: Blob | Uint8Array | ArrayBuffer | string
      readonly name?: string | undefined
      readonly type?: string | undefined
    }

/** The fields of `multipart/form-data`, by their types in `generated/openapi.d.ts`. */
export type FormBody<Fields> = FormData | FieldsOf<Fields>

type FieldsOf<Fields> = Fields extends unknown
  ? { [Name in keyof Fields]: FieldOf<Fields[Name]> }
  : never

type FieldOf<Value> = Value extends Blob
  ? FormFile
  : Value extends readonly Blob[]
    ? readonly FormFile[]
    : Value

/** Writes a form as a query: each field in its style. */
export const writeForm: WriteContent = (body, type, { styles = {} }) => {
  if (body instanceof URLSearchParams) {
    return { body: body.toString(), type }
  }
  const pairs = Object.entries(checkFields(body, type)).map(([name, value]) => {
    return writeParameter('query', name, value, styles)
  })
  return { body: pairs.filter((pair) => pair !== undefined).join('&'), type }
}

/** Writes the fields and files of a form as parts. */
export const writeMultipart: WriteContent = (body, type, { fields = {} }) => {
  if (body instanceof FormData) {
    return { body, type: undefined }
  }

  const form = new FormData()
  for (const [name, value] of Object.entries(checkFields(body, type))) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const isWhole = field?.content === 'json' && !field.list
    const values: readonly unknown[] = Array.isArray(value) && !isWhole ? value : [value]
    for (const item of values.filter((each) => each !== undefined)) {
      addPart(form, name, item, field)
    }
  }
  return { body: form, type: undefined }
}

function checkFields(body: unknown, type: string): Readonly<Record<string, unknown>> {
  if (!isRecord(body)) {
    throw new TypeError(
      `A body of ${type} must be an object: the fields of the form by their names.`,
    )
  }
  return body
}

/** Adds a part. A text has no media type of its own, and no file name. */
function addPart(form: FormData, name: string, value: unknown, field: FieldContent = {}): void {
  const { content, type = '' } = field
  if (value instanceof Blob) {
    form.append(name, value.type === '' && type !== '' ? retype(value, type) : value)
  } else if (content === 'file') {
    const file = toFile(name, value, type)
    form.append(name, file.blob, file.name)
  } else if (content === 'json' || (typeof value === 'object' && value !== null)) {
    addJson(form, name, JSON.stringify(value), type)
  } else {
    form.append(name, String(value ?? ''))
  }
}

/** Adds JSON, which is a text, unless the contract names its media type: then it is a part with that one. */
function addJson(form: FormData, name: string, json: string, type: string): void {
  if (type === '') {
    form.append(name, json)
  } else {
    form.append(name, new Blob([json], { type }))
  }
}

function retype(blob: Blob, type: string): Blob {
  return blob instanceof File ? new File([blob], blob.name, { type }) : new Blob([blob], { type })
}

function toFile(name: string, value: unknown, usualType: string) {
  const file = isRecord(value) && 'content' in value ? value : { content: value }
  const {
    content,
    name: fileName = name,
    type,
  } = file as {
    readonly content: unknown
    readonly name?: string
    readonly type?: string
  }
  const isBytes = content instanceof ArrayBuffer || ArrayBuffer.isView(content)
  if (!isBytes && !(content instanceof Blob) && typeof content !== 'string') {
    throw new TypeError(`${name} must be a file: a Blob, or { content, name, type }.`)
  }
  const typeOfBlob = content instanceof Blob ? content.type : ''
  // The types of bytes that are sent exclude memory that threads share.
  const blob = new Blob([content as BlobPart], { type: type ?? (typeOfBlob || usualType) })
  return { blob, name: fileName }
}
