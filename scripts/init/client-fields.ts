import type { Description } from '../../server/description/description.ts'
import { printCredentials, printCredentialsOption } from '../pipeline/client-credentials.ts'
import { hasBearerKeysAlone, schemesOfOperations } from '../pipeline/sent-credentials.ts'

/** Returns the values of the fields in the templates of the client, and of what calls it. */
export function printClientFields(description: Description, className: string) {
  const credentialsOption = printCredentialsOption(description)
  if (hasBearerKeysAlone(description)) {
    return {
      credentialsOption,
      testCredentials: 'apiKey: service.apiKey',
      clientImports: `import { createClient } from './client.ts'
import type { CallOptions, ClientOptions, ListOptions } from './options.ts'`,
      clientOptions: 'ClientOptions',
      createClient: `createClient<${className}>`,
    }
  }

  // Outside production, the services of tests accept their key by every scheme.
  const testCredentials = printCredentials(schemesOfOperations(description), () => 'service.apiKey')
  return {
    credentialsOption,
    testCredentials,
    clientImports: `import type { CallOptions, ListOptions } from './options.ts'
import { createSecuredClient, type SecuredClientOptions } from './secured-client.ts'`,
    clientOptions: 'SecuredClientOptions<typeof calls>',
    createClient: `createSecuredClient<${className}, typeof calls>`,
  }
}
