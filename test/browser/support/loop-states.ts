import type { LoopState } from '../../../scripts/dev/loop-state.ts'

/** A loop that has just begun, on a contract in which nothing is wrong. */
export const calm: LoopState = {
  run: 1,
  saved: [],
  milliseconds: { lint: 210, generate: 120, types: 180, restart: 90, total: 600 },
  isHealthy: true,
  service: undefined,
  lint: [],
  diff: {
    step: 'none',
    base: { version: '1.0.0', ref: 'v1.0.0' },
    current: { version: '1.0.0' },
    needed: '1.0.0',
    changes: [],
  },
  code: [],
  operations: [
    {
      operationId: 'listThings',
      method: 'get',
      path: '/things',
      state: 'implemented',
      deprecated: false,
    },
    {
      operationId: 'addThing',
      method: 'post',
      path: '/things',
      state: 'mocked',
      deprecated: false,
    },
    {
      operationId: 'getThing',
      method: 'get',
      path: '/things/{thingId}',
      summary: 'Get a thing',
      state: 'implemented',
      sunset: '2030-12-05',
      deprecated: true,
    },
  ],
  requests: [],
}

/** What a designer sees in the middle of work: a bit of everything. */
export const busy: LoopState = {
  ...calm,
  run: 7,
  saved: ['spec/openapi.yaml'],
  lint: [
    {
      file: 'spec/openapi.yaml',
      line: 41,
      column: 9,
      rule: 'rule/parameter-example',
      severity: 'warning',
      message: 'Show a value of this parameter; add an example or examples.',
    },
  ],
  diff: {
    step: 'major',
    base: { version: '1.0.0', ref: 'v1.0.0' },
    current: { version: '1.1.0' },
    needed: '2.0.0',
    changes: [
      {
        breaking: true,
        step: 'major',
        what: 'The query parameter `colour` became required.',
        consequence: 'Every call without it is refused with 400.',
        place: 'GET /things',
      },
      {
        breaking: false,
        step: 'minor',
        what: 'The operation addThing was added.',
        consequence: 'Nothing changes for those who do not call it.',
        place: 'POST /things',
      },
    ],
  },
  requests: [
    {
      at: '2026-11-20T10:15:30.120Z',
      id: '01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d55',
      method: 'GET',
      path: '/v1/things?limit=2',
      status: 200,
      milliseconds: 3.4,
      violations: [],
    },
    {
      at: '2026-11-20T10:15:31.480Z',
      id: '01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d56',
      method: 'POST',
      path: '/v1/things',
      status: 201,
      milliseconds: 12.8,
      violations: [
        '/body/colour must be equal to one of the allowed values',
        'X-Request-Id is missing',
      ],
    },
    {
      at: '2026-11-20T10:15:33.002Z',
      id: '01981f2c-5c1e-7cc0-a4d3-5f1f6c6f8d57',
      method: 'GET',
      path: '/v1/things/42',
      status: 404,
      milliseconds: 1.9,
      violations: [],
    },
  ],
}

/** After a save that broke the spec, while the service before it goes on. */
export const broken: LoopState = {
  ...busy,
  run: 8,
  isHealthy: false,
  lint: [
    ...busy.lint,
    {
      file: 'spec/paths/things.yaml',
      line: 12,
      column: 3,
      rule: 'struct',
      severity: 'error',
      message: 'Property `respnses` is not expected here.',
    },
  ],
  code: [
    {
      file: 'server/things/list-things.ts',
      line: 14,
      column: 22,
      message: "Property 'color' does not exist on type 'ListThingsQuery'. Did you mean 'colour'?",
    },
  ],
}
