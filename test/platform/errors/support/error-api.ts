import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { bundleDescription, openDescription } from '../../../../scripts/pipeline/bundle.ts'
import { readBasePath, readOperations } from '../../../../scripts/pipeline/operations.ts'
import { projectPath } from '../../../../scripts/pipeline/project.ts'
import { type ErrorFormat, errorObject } from '../../../../server/contract/error-format.ts'
import type { AnyHandler, CallableHandler } from '../../../../server/contract/handler.ts'
import type { Operation } from '../../../../server/contract/operation.ts'
import { readBundled } from '../../../../server/description/description-reader.ts'
import type { Api } from '../../../../server/served-api.ts'
import { StoreUnavailable } from '../../../../server/store/errors.ts'
import { fixtureApi } from '../../../fixture-api/fixture-api.ts'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'

/** An API with an error format: what its operations declare for errors, and its components. */
export interface DescribedErrors {
  /** The responses of every operation beside its success. */
  readonly responses?: Readonly<Record<string, unknown>>
  /** Those of the operation that adds a room, if they are others. */
  readonly ofCreate?: Readonly<Record<string, unknown>>
  readonly components?: Readonly<Record<string, unknown>>
  readonly errorFormat?: ErrorFormat
  /** The `errors` of `spec/service.yaml`. */
  readonly settings?: object
  readonly openapi?: string
}

const room = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 20 } },
}

/** Error responses of a room: what `fail` in its name asks for. */
const getRoom: CallableHandler = ({ path: { name } }, { respondError }) => {
  switch (name) {
    case 'broken':
      throw new Error('It is broken.')
    case 'away':
      throw new StoreUnavailable('It is away.')
    case 'none':
      return respondError(404, 'not_found', 'There is no room none.')
    case 'marked':
      return respondError(404, 'not_found', 'There is no <b>room</b> & no bed.')
    case 'closed':
      return respondError(409, 'room_closed', 'The room is closed.')
    default:
      return { status: 200, body: { name } }
  }
}

/** Writes the description of an API of rooms with its errors into a folder; returns its path. */
export async function writeErrorSpec(described: DescribedErrors): Promise<string> {
  const { responses = {}, ofCreate = responses, components = {} } = described
  const content = { 'application/json': { schema: room } }
  const success = { description: 'A room.', content }
  const name = { name: 'name', in: 'path', required: true, schema: { type: 'string' } }
  const root = {
    openapi: described.openapi ?? '3.1.0',
    info: { title: 'Rooms', version: '1.0.0' },
    servers: [{ url: '/v1' }],
    security: [{ key: [] }],
    paths: {
      '/rooms': {
        post: {
          operationId: 'addRoom',
          requestBody: { required: true, content, 'x-max-bytes': 200 },
          responses: { 201: success, ...ofCreate },
        },
      },
      '/rooms/{name}': {
        parameters: [name],
        get: { operationId: 'getRoom', responses: { 200: success, ...responses } },
      },
    },
    components: { ...components, securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  }

  const folder = createTemporaryFolder()
  await copyFile(projectPath('spec/platform.yaml'), join(folder, 'platform.yaml'))
  if (described.settings !== undefined) {
    await writeFile(join(folder, 'service.yaml'), stringify({ errors: described.settings }))
  }
  const spec = join(folder, 'openapi.yaml')
  await writeFile(spec, stringify(root))
  return spec
}

/** Returns an API of rooms with its errors, compiled as that of a project is. */
export async function createErrorApi(described: DescribedErrors): Promise<Api> {
  const bundled = await bundleDescription(await openDescription(await writeErrorSpec(described)))
  const model = readBundled(bundled)
  const operations: Readonly<Record<string, Operation>> = JSON.parse(
    JSON.stringify(readOperations(model)),
  )
  const addRoom: CallableHandler = ({ body }) => ({ status: 201, body })
  return {
    ...fixtureApi,
    description: bundled,
    operations,
    basePath: readBasePath(model),
    errorFormat: described.errorFormat ?? errorObject,
    // They have the input of their operations.
    createHandlers: () => ({ addRoom, getRoom }) as Record<string, AnyHandler>,
    createAuthenticators: ({ apiKeys }) => ({ key: apiKeys('key') }),
  }
}
