import { Document } from 'yaml'
import served from '../../../generated/openapi.json' with { type: 'json' }
import { basePath } from '../../../generated/operations.ts'
import { readOperations } from '../../../scripts/pipeline/operations.ts'
import { createAdmission } from '../../../server/access/admission.ts'
import { createKeyring } from '../../../server/access/keyring.ts'
import { createHandlers } from '../../../server/animals/handlers.ts'
import { createApp } from '../../../server/app.ts'
import { createWriter } from '../../../server/contract/answer/writer.ts'
import { createContract } from '../../../server/contract/contract.ts'
import type { Operation } from '../../../server/contract/description/operation.ts'
import { createCrossOrigin } from '../../../server/contract/request/cross-origin.ts'
import { openLimits } from '../../../server/limits.ts'
import { createMock } from '../../../server/mock/mock.ts'
import { createHttpServer, listen } from '../../../server/ops/http-server.ts'
import { createTurnedAway } from '../../../server/ops/turned-away.ts'
import type { Edit } from '../../pipeline/support/spec-edit.ts'
import type { Target } from '../support/target.ts'
import { type Start, startFaulty } from './faulty-service.ts'

/** Starts the service by a description that is edited behind the back of its callers. */
export function startEdited(edit: Edit): Promise<Target> {
  const document = new Document(served)
  edit(document)
  return startFaulty(serving(document.toJS()))
}

function serving(description: typeof served): Start {
  return async (config, store, log) => {
    // Edits may say anything: only the text of the rows is known to be right.
    const operations: Record<string, Operation> = JSON.parse(
      JSON.stringify(readOperations(description)),
    )
    const limits = await openLimits(config, log)
    const contract = await createContract({
      ...{ description, operations, basePath, isLinted: true, waivedHeaders: [] },
      handlers: createHandlers({ store, idempotencyHours: config.idempotencyHours }),
      // What is described and not written is answered with a sample.
      standIn: createMock(description),
      authenticates: { apiKey: { type: 'http', scheme: 'bearer' } },
    })
    const usage = { count: () => undefined }
    const app = createApp({
      ...{ contract, log, trustProxy: 0, pages: {} },
      admit: createAdmission({ keyring: createKeyring(store.keys), usage, ...limits }),
      crossOrigin: createCrossOrigin([], description, operations),
      send: createWriter({
        ...{ log, checks: contract.checkReply, isDraining: () => false },
        responseValidation: 'log',
      }),
    })
    const server = createHttpServer(app, config, createTurnedAway(log))
    return {
      origin: await listen(server, config),
      async stop() {
        server.closeAllConnections()
        await new Promise((closed) => server.close(closed))
        await limits.close()
      },
    }
  }
}
