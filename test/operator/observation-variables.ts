import type { Config } from '../../server/config.ts'

export type Accepted = readonly [name: string, value: string, config: Partial<Config>]
export type Refused = readonly [name: string, value: string, allowed: string]

export const usual = {
  opsHost: '127.0.0.1',
  opsPort: 9464,
  tracesEndpoint: '',
  tracesShare: 1,
  serviceName: 'animal-store',
} as const

/** Values of what decides how the service is observed, and what is made of them. */
export const accepted: readonly Accepted[] = [
  ['OPS_HOST', '0.0.0.0', { opsHost: '0.0.0.0' }],
  ['OPS_PORT', '0', { opsPort: 0 }],
  ['OPS_PORT', 'off', { opsPort: 'off' }],
  ...['http://127.0.0.1:4318', 'https://user:pass@otel.example/base/'].map(
    (url): Accepted => ['OTEL_EXPORTER_OTLP_ENDPOINT', url, { tracesEndpoint: url }],
  ),
  ...[0, 0.05, 1].map(
    (tracesShare): Accepted => ['OTEL_TRACES_SAMPLER_ARG', `${tracesShare}`, { tracesShare }],
  ),
  ['OTEL_SERVICE_NAME', 'animals', { serviceName: 'animals' }],
]

const opsPort = 'a whole number from 0 to 65535, or off'
const endpoint = 'http://HOST:PORT or https://HOST:PORT, with a path where there is one'
const share = 'a number from 0 to 1, such as 0.1'

/** Values that are refused, and what is said to be allowed. */
export const refused: readonly Refused[] = [
  ...['65536', 'on', '-1'].map((value): Refused => ['OPS_PORT', value, opsPort]),
  ...['127.0.0.1:4318', 'grpc://otel.example', 'http://', 'http://otel.example/?a=b'].map(
    (value): Refused => ['OTEL_EXPORTER_OTLP_ENDPOINT', value, endpoint],
  ),
  ...['1.1', '-0.1', '10%', '.5'].map(
    (value): Refused => ['OTEL_TRACES_SAMPLER_ARG', value, share],
  ),
]
