import { fillBody } from '../../server/description/error-filling.ts'
import { readShape } from '../../server/description/error-shape.ts'
import { type JsonObject, memberOf, toList, toObject } from '../../server/description/json.ts'
import type { Located } from '../../server/description/location.ts'
import { valueAt } from '../../server/description/pointer.ts'
import type { ErrorSettings } from '../../server/description/settings.ts'
import type { Follow } from './called-operations.ts'
import type { DescriptionFile, PlatformFile } from './platform-file.ts'

/** The schema of errors where the settings name none. */
const errorPointer = '#/components/schemas/Error'

/** The schema of errors where the settings name none, but the media type of problem details. */
const problemPointer = '#/components/schemas/PlatformProblem'

/** The ID of the request in examples. */
const requestId = '01981f2c-5c1e-4cc0-a4d3-5f1f6c6f8d55'

/** The time in examples. */
const time = Date.UTC(2026, 10, 27)

/** Returns the responses of the platform with content of the format that an API has for errors. */
export class FormattedResponses {
  readonly #settings: ErrorSettings
  readonly #platform: PlatformFile
  readonly #description: DescriptionFile
  readonly #follow: Follow

  constructor(
    settings: ErrorSettings,
    description: DescriptionFile,
    platform: PlatformFile,
    follow: Follow,
  ) {
    this.#settings = settings
    this.#description = description
    this.#platform = platform
    this.#follow = follow
  }

  /** Returns a response of the platform in the format; undefined if it has no content. */
  format(name: string): JsonObject | undefined {
    const { responses } = toObject(this.#platform.root['components'])
    const response = toObject(memberOf(responses, name))
    const [media] = Object.values(toObject(response['content']))
    if (media === undefined) {
      return undefined
    }

    const schema = this.#schema()
    const { mediaType = 'application/json' } = this.#settings
    const { examples } = toObject(media)
    const content = {
      [mediaType]: {
        schema: this.#reference(schema),
        examples: mapValues(examples, (example) => this.#convert(example, schema)),
      },
    }
    const headers = mapValues(response['headers'], (header) => this.#fromPlatform(header))
    return { ...response, headers, content }
  }

  /** Returns the schema of the bodies of errors. */
  #schema(): Located {
    const { schema, mediaType = '' } = this.#settings
    if (schema !== undefined) {
      return locate(this.#description, schema)
    }
    return locate(this.#platform, mediaType.includes('problem') ? problemPointer : errorPointer)
  }

  #reference({ file, pointer }: Located) {
    return { $ref: file === this.#description.file ? pointer : `${file}${pointer}` }
  }

  /** Returns a part of the platform whose reference leads to the platform's file from any file. */
  #fromPlatform(part: JsonObject): JsonObject {
    const { $ref } = part
    const isLocal = typeof $ref === 'string' && $ref.startsWith('#')
    return isLocal ? { ...part, $ref: `${this.#platform.file}${$ref}` } : part
  }

  /** Returns an example of the platform with its body in the format. */
  #convert(example: JsonObject, schema: Located): JsonObject {
    const { $ref } = example
    const written = typeof $ref === 'string' ? this.#sharedExample($ref) : example
    const { code, message, status, details } = toObject(written['value'])
    const error = {
      code: String(code),
      message: String(message),
      status: Number(status),
      details: toList(details).map((detail) => {
        const { path, message: text } = toObject(detail)
        return { path: String(path), message: String(text) }
      }),
      requestId,
      time,
    }

    const tryNext = (node: Located) =>
      '$ref' in toObject(node.value) ? this.#follow(node) : undefined
    const shape = readShape(schema, { tryNext }, 0)
    return { ...written, value: fillBody(shape, error, undefined) }
  }

  #sharedExample($ref: string): JsonObject {
    const pointer = $ref.slice($ref.indexOf('#'))
    return toObject(valueAt(this.#platform.root, pointer))
  }
}

function locate({ file, root }: DescriptionFile, pointer: string): Located {
  return { file, pointer, value: valueAt(root, pointer) }
}

/** Returns an object with other values: those that a function returns. */
function mapValues(holder: unknown, edit: (value: JsonObject) => JsonObject): JsonObject {
  const entries = Object.entries(toObject(holder)).map(([key, value]) => {
    return [key, edit(toObject(value))] as const
  })
  return Object.fromEntries(entries)
}
