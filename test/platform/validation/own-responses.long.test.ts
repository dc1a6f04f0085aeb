import { expect, test } from 'vitest'
import { errorObject } from '../../../server/contract/error-format.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import { textsOfSchemes } from '../../../server/security/scheme-texts.ts'
import { findOwnViolations } from '../../../server/start-up/own-responses-check.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { fixtureWith } from '../../helpers/fixture-service.ts'
import { editsOf, provokeAll } from './support/own-responses.ts'

// The start rejects what has violations: `own-responses.test.ts`.
test.for(editsOf(structuredClone(fixtureApi.description)))(
  '$name: is a violation of what the service sends, or leads to no 500',
  async ({ edit }) => {
    const api = fixtureWith({ edit })
    const contract = { ...api, description: readBundled(api.description) }
    const texts = textsOfSchemes(contract.description)
    const checked = { contract, errorFormat: errorObject, texts, rateLimits: true }
    const violations = findOwnViolations(checked).filter(({ isOfFormat }) => !isOfFormat)
    if (violations.length > 0) {
      expect(violations[0]?.keys.length).toBeGreaterThan(0)
    } else {
      await provokeAll(edit)
    }
  },
)
