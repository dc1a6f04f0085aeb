import { describe, test } from 'vitest'
import { engines } from '../support/places/engines.ts'
import { animalRules } from './animal-rules.ts'
import { availabilityRules } from './availability-rules.ts'
import { keyRules } from './key-rules.ts'
import { onceRules } from './once-rules.ts'

const rules = { ...animalRules, ...onceRules, ...availabilityRules, ...keyRules }

describe.for(engines)('in a store in $name', ({ createPlace, whyOneAtATime }) => {
  for (const [name, rule] of Object.entries(rules)) {
    test(name, ({ skip }) => {
      if (whyOneAtATime !== undefined && name.startsWith('while ')) skip(whyOneAtATime)
      return rule(createPlace)
    })
  }
})
