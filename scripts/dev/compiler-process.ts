import { type Artifacts, nameOf, printForCode, printServed } from '../pipeline/artifacts.ts'
import { bundleDescription, openDescription } from '../pipeline/bundle.ts'
import type { JsonObject } from '../pipeline/description.ts'
import { isFailure } from '../pipeline/failure.ts'
import { writeFolder } from '../pipeline/output-folder.ts'
import { answerJobs } from './answer-jobs.ts'

/**
 * What the compiler is asked for: to read a description, and then to write what of it the service
 * runs on, and what code is compiled with. The second takes most of the time.
 */
export type CompilerJob =
  | { readonly kind: 'read'; readonly spec: string }
  | { readonly kind: 'write'; readonly what: 'served' | 'for code'; readonly out: string }

/** The lines of what is wrong with a description, and the files that are new since the last one. */
export type CompilerResult = {
  readonly faults: readonly string[]
  readonly changed: readonly string[]
}

let name = ''
let description: JsonObject = {}
let served: Artifacts = new Map()
const written = new Map<string, string>()

answerJobs(async (job: CompilerJob): Promise<CompilerResult> => {
  try {
    if (job.kind === 'read') {
      await read(job.spec)
      return { faults: [], changed: [] }
    }
    const artifacts = job.what === 'served' ? served : await printForCode(name, description)
    await writeFolder(job.out, artifacts)
    return { faults: [], changed: findNew(artifacts) }
  } catch (error) {
    if (!isFailure(error)) throw error
    return { faults: error.message.split('\n'), changed: [] }
  }
})

// Whoever waits for the first job waits for this too, but it is done while the linter is loading.
await printForCode('', { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} })

// Not what had to be written: somebody may have generated the same already, unseen by the service.
function findNew(artifacts: Artifacts): readonly string[] {
  const names = [...artifacts.keys()].filter((each) => written.get(each) !== artifacts.get(each))
  for (const [each, text] of artifacts) written.set(each, text)
  return names
}

async function read(spec: string): Promise<void> {
  const opened = await openDescription(spec)
  name = nameOf(spec)
  description = await bundleDescription(opened)
  served = printServed(name, description)
}
