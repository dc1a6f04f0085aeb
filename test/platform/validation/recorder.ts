import { startFixtureWith } from '../../helpers/fixture-service.ts'

/** What a handler gets. */
export interface Input {
  readonly path: object
  readonly body?: unknown
}

/** Starts a service whose handlers keep what they get; the schema of its bodies may be another. */
export async function startRecorder(bodySchema?: object) {
  const inputs: Input[] = []
  const record = (input: Input, status: number, body: object) => {
    inputs.push(input)
    return { status, body }
  }
  const service = await startFixtureWith({
    handlers: {
      listTools: (input: Input) => record(input, 200, []),
      createTool: (input: Input) => record(input, 201, { id: 1, kind: 'saw', name: 'Ryoba' }),
      getLoan: (input: Input) => record(input, 200, { ...input.path, due: '2031-02-03' }),
    },
    edit({ paths }) {
      const { content } = paths['/tools'].post.requestBody
      if (bodySchema !== undefined) {
        content['application/json'] = { schema: bodySchema }
      }
    },
  })
  return { ...service, inputs }
}
