import { type Changed, changeOf, rule } from './rule.ts'

/** A setting of `service.yaml` that has another value. */
export interface ChangedSetting extends Changed {
  readonly setting: string
}

const settingChange = (facts: ChangedSetting) => changeOf(facts.setting)(facts)

export const settingRules = {
  'request-setting-became-stricter': rule(
    'a setting of `requests` rejects more than before',
    'major',
    settingChange,
    'Requests that were valid are now rejected.',
  ),
  'request-setting-became-looser': rule(
    'a setting of `requests` rejects less than before',
    'minor',
    settingChange,
    'Requests that were rejected are now valid; those that are sent today stay valid.',
  ),
  'request-setting-changed': rule(
    'a setting of `requests` gives requests another meaning',
    'major',
    settingChange,
    'Requests that are valid now mean something else.',
  ),
  'platform-paths-changed': rule(
    'the pages of the service, such as `/docs`, have another prefix',
    'patch',
    settingChange,
    'The operations are where they were; the pages have other addresses.',
  ),
}
