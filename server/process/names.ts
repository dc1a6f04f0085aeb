import packageJson from '../../package.json' with { type: 'json' }

/**
 * The name of this API, as `package.json` has it: of its database file, its traces, its keys in Redis,
 * and the label `api` of its metrics.
 */
export const apiName = packageJson.name

/** How its API keys begin. */
export const apiKeyMarker = `${packageJson.config.apiKeyPrefix}_`
