import { operations } from '../../../generated/operations.ts'

const sunset = new Date(operations.getPet.deprecation.sunset)

/** What comes of `consumer/journey.ts` with an empty store, wherever it runs. */
export const destination = {
  page: ['Rex', 'Mia'],
  hasNext: true,
  walked: ['Rex', 'Mia', 'Ömür 🐈', 'Kim', 'Bo'],
  sizes: [2, 2, 1],
  found: 'Ömür 🐈',
  foundTogether: 200,
  notices: [`getPet ${sunset.toISOString()}`],
  refusal: { code: 'invalid_request', status: 400, attempts: 1 },
  fault: ['/body/name'],
  hasRequestId: true,
  hasRateLimit: true,
  wereLimitsTold: true,
  isAborted: true,
}
