import packageJson from '../package.json' with { type: 'json' }

/** The name of this API, as `package.json` has it: of its database file, its traces, its keys in Redis. */
export const apiName = packageJson.name

/** How the names of its metrics begin, and those of its attributes in traces. */
export const metricPrefix = apiName.replaceAll('-', '_')

/** How its API keys begin. */
export const apiKeyMarker = `${packageJson.config.apiKeyPrefix}_`
