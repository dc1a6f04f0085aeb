import { describe, test } from 'vitest'
import { animalRules } from './animal-rules.ts'
import { availabilityRules } from './availability-rules.ts'
import { keyRules } from './key-rules.ts'
import { onceRules } from './once-rules.ts'
import { createSqlitePlace } from './place.ts'

// Another engine has another place, and the same rules.
const engines = { SQLite: createSqlitePlace }
const rules = { ...animalRules, ...onceRules, ...availabilityRules, ...keyRules }

describe.for(Object.entries(engines))('in a store in %s', ([, createPlace]) => {
  for (const [name, rule] of Object.entries(rules)) test(name, () => rule(createPlace))
})
