import { type RequestSettings, requestSettingsOf } from '../../server/description/settings.ts'
import { serviceLocation } from './compared-description.ts'
import type { Recorder } from './recorder.ts'
import type { RuleId } from './rules/index.ts'
import type { Pair } from './words.ts'

type SettingName = keyof RequestSettings

/** The value of each setting that rejects the most requests; the largest body is a number. */
const strictest: Readonly<Record<Exclude<SettingName, 'maxBytes'>, string>> = {
  unknownQueryParameters: 'reject',
  repeatedParameters: 'reject',
  paths: 'exact',
  accept: 'check',
  readOnlyMembers: 'reject',
  largeIntegers: 'reject',
}

/** Compares how strict the service is with requests, and where it has its pages. */
export function compareSettings({ base, current }: Pair, recorder: Recorder): void {
  const [before, after] = [base, current].map(({ service }) => service.settings)
  const placeOf = (keys: readonly string[]) => ({
    base: serviceLocation(base.service, keys),
    current: serviceLocation(current.service, keys),
  })

  const [old, now] = [requestSettingsOf(before ?? {}), requestSettingsOf(after ?? {})]
  for (const name of [...Object.keys(strictest), 'maxBytes'] as SettingName[]) {
    if (old[name] === now[name]) {
      continue
    }
    const facts = { setting: name, subject: 'requests', before: old[name], after: now[name] }
    recorder.record(ruleOf(name, old, now), facts, placeOf(['requests', name]))
  }

  if (before?.platformPaths !== after?.platformPaths) {
    const values = { before: before?.platformPaths, after: after?.platformPaths }
    const facts = { setting: 'platformPaths', subject: 'the service', ...values }
    recorder.record('platform-paths-changed', facts, placeOf(['platformPaths']))
  }
}

/** Returns the rule for a setting that has another value. */
function ruleOf(
  name: SettingName,
  before: Required<RequestSettings>,
  after: Required<RequestSettings>,
): RuleId & `request-setting-${string}` {
  if (name === 'maxBytes') {
    const isLower = after.maxBytes < before.maxBytes
    return isLower ? 'request-setting-became-stricter' : 'request-setting-became-looser'
  }
  if (after[name] === strictest[name]) {
    return 'request-setting-became-stricter'
  }
  const isLooser = before[name] === strictest[name]
  return isLooser ? 'request-setting-became-looser' : 'request-setting-changed'
}
