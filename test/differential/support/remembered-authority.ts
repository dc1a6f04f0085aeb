import { isDeepStrictEqual } from 'node:util'
import type { Authority } from '../../../server/contract/authority.ts'
import type { RequestParts } from '../../../server/contract/validator/openapi-stand-ins.ts'
import type { OpenApiChecks } from '../../../server/contract/validator/openapi-validator.ts'

type Answer = ReturnType<OpenApiChecks['request']>

/** An authority that is asked on one way, and on the other one only where it is asked something else. */
export interface Remembered {
  readonly asked: Authority
  readonly told: Authority
  /** Whether the other way has come to it since the first one did. */
  readonly wasTold: () => boolean
}

/**
 * Spares half of the time: it answers the same to the same question, and is by far the slowest part.
 * The question is kept as it was, because the answer is written into it.
 */
export function rememberAnswers(authority: Authority): Remembered {
  let question: RequestParts | undefined
  let answer: Answer | undefined
  let wasTold = false

  function withRequest(request: (checks: OpenApiChecks, parts: RequestParts) => Answer): Authority {
    return {
      ...authority,
      async checksOf(operation) {
        const checks = await authority.checksOf(operation)
        return { ...checks, request: (parts) => request(checks, parts) }
      },
    }
  }

  return {
    wasTold: () => wasTold,
    asked: withRequest((checks, parts) => {
      wasTold = false
      question = structuredClone(parts)
      answer = checks.request(parts)
      return answer
    }),
    told: withRequest((checks, parts) => {
      wasTold = true
      const isSame = answer !== undefined && isDeepStrictEqual(parts, question)
      return isSame && answer !== undefined ? answer : checks.request(parts)
    }),
  }
}
