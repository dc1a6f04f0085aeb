import { componentRules, otherRules, textRules } from './components.ts'
import { operationRules } from './operations.ts'
import { bodyRules, parameterRules } from './parameters.ts'
import { propertyRules } from './properties.ts'
import { responseRules } from './responses.ts'
import type { Rule } from './rule.ts'
import { rulesOfSchemas } from './schemas.ts'
import { securityRules } from './security.ts'
import { serverRules } from './servers.ts'
import { settingRules } from './settings.ts'

/** The rules but those of schemas, which are made of two parts, by what they are about. */
export const ruleAreas = {
  Operations: operationRules,
  Parameters: parameterRules,
  Bodies: bodyRules,
  Responses: responseRules,
  Properties: propertyRules,
  Security: securityRules,
  Servers: serverRules,
  Settings: settingRules,
  Components: componentRules,
  'Texts and examples': textRules,
  'What is not known': otherRules,
}

/** Every rule, by its ID. */
export const rules = {
  ...operationRules,
  ...parameterRules,
  ...bodyRules,
  ...responseRules,
  ...propertyRules,
  ...securityRules,
  ...serverRules,
  ...settingRules,
  ...componentRules,
  ...textRules,
  ...otherRules,
  ...rulesOfSchemas,
}

export type RuleId = keyof typeof rules
/** What the sentence of a rule must be given. */
export type FactsOf<Id extends RuleId> = Parameters<(typeof rules)[Id]['what']>[0]

/** Returns a rule with its facts applied. */
export function applyRule<Id extends RuleId>(id: Id, facts: FactsOf<Id>) {
  // The rule of an ID takes the facts of that ID, which TypeScript does not see for a union of IDs.
  const { what, ...rule } = rules[id] as unknown as Rule<FactsOf<Id>>
  return { ...rule, id, what: toSentence(what(facts)) }
}

export function isRuleId(text: string): text is RuleId {
  return Object.hasOwn(rules, text)
}

function toSentence(words: string): string {
  const text = words.trim().replace(/\.$/, '')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
