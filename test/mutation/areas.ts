/** What is mutated together, and the tests that have to notice. */
export interface Area {
  /** Files of the code. */
  readonly mutate: readonly string[]
  /** Tests that run what they test in their own process: nothing else is mutated. */
  readonly tests: readonly string[]
}

const inAccess = (...names: readonly string[]) => names.map((name) => `server/access/${name}.ts`)

/** Tests that run the service in their own process. */
const inProcess = [
  'test/{access,contract,equality,mock,operations,ops,store,wire}/**/*.test.ts',
  'test/{conformance/conformance,differential/answers,differential/served}.test.ts',
  'test/operator/{config,config-secrets,log-line,lookout,outages,overload,overload-judge,overload-seen,rest,running,spared,waiting}.test.ts',
]

/** By the name that `MUTATED` gives. */
export const areas: Readonly<Record<string, Area>> = {
  authentication: {
    mutate: inAccess('admission', 'api-key', 'credential', 'key-directory', 'keyring'),
    tests: [
      'test/access/{address-limit,admission,api-key,bans,credential,key-directory,key-lookup,keyring,refusal-messages,usage}.test.ts',
      'test/operator/outages.test.ts',
      'test/ops/request-log.test.ts',
      'test/wire/{authentication,headers}.test.ts',
    ],
  },
  limits: {
    mutate: inAccess('address-limit', 'key-limits', 'memory-tally', 'plans', 'window'),
    tests: [
      'test/access/{address-limit,admission,bans,bounded-memory,one-decision,plan-limits,plans,window}.test.ts',
    ],
  },
  idempotency: {
    mutate: ['server/animals/create-pet.ts', 'server/store/sqlite/idempotency-keys.ts'],
    tests: [
      'test/operations/{create-pet,idempotency,idempotency-key}.test.ts',
      'test/store/{animal-store,lost-file,sqlite}.test.ts',
    ],
  },
  errors: {
    mutate: [
      'server/{error-answers,reply-decision}.ts',
      'server/contract/answer/{error-reply,refusal,writer}.ts',
      'server/ops/outages.ts',
    ],
    tests: [
      'test/contract/{any-answer,any-description,error-answers,error-reply,reply-decision,writer}.test.ts',
      'test/operations/{create-pet,get-pet,list-pets}.test.ts',
      'test/operator/outages.test.ts',
      'test/ops/{metrics,request-log}.test.ts',
      'test/wire/{authentication,cors,error-details,framing,headers,media-types,routing}.test.ts',
    ],
  },
  client: { mutate: ['client/*.ts'], tests: ['test/client/*.test.ts'] },
  // The rest of the service, in two parts, of which a share is drawn.
  service: {
    mutate: ['server/*.ts', 'server/{access,animals,ops,store}/**/*.ts'],
    tests: inProcess,
  },
  contract: { mutate: ['server/{contract,mock}/**/*.ts'], tests: inProcess },
}

/** The area that the environment names. */
export function areaIn({ MUTATED: name = '' }: NodeJS.ProcessEnv): Area {
  const area = areas[name]
  if (area !== undefined) return area
  throw new Error(`Set MUTATED to one of ${Object.keys(areas).join(', ')}.`)
}
