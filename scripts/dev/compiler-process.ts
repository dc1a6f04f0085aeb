import { type Artifacts, nameOf, printForCode, printServed } from '../pipeline/artifacts.ts'
import { bundleDescription, openDescription } from '../pipeline/bundle.ts'
import type { JsonObject } from '../pipeline/description.ts'
import { isFailure } from '../pipeline/failure.ts'
import { writeFolder } from '../pipeline/output-folder.ts'
import { answerJobs } from './answer-jobs.ts'
import { toShape } from './shape.ts'

/**
 * What the compiler is asked for: to read a description, and then to write what of it the service
 * runs on, and what code is compiled with. The second takes most of the time.
 */
export type CompilerJob =
  | { readonly kind: 'read'; readonly spec: string }
  | { readonly kind: 'write'; readonly what: 'served' | 'for code'; readonly out: string }

/**
 * The lines of what is wrong with a description, and the files that say something new since the last
 * one: to the service, or to the compiler of code.
 */
export type CompilerResult = {
  readonly faults: readonly string[]
  readonly changed: readonly string[]
}

let name = ''
let description: JsonObject = {}
let served: Artifacts = new Map()
const texts = new Map<string, string>()
const shapes = new Map<string, string>()

answerJobs(async (job: CompilerJob): Promise<CompilerResult> => {
  try {
    if (job.kind === 'read') {
      await read(job.spec)
      return { faults: [], changed: [] }
    }
    if (job.what === 'served') {
      await writeFolder(job.out, served)
      return { faults: [], changed: replace(texts, served) }
    }
    const forCode = await printForCode(name, description)
    await writeFolder(job.out, forCode)
    const all = [...served, ...forCode].map(([file, text]) => [file, toShape(file, text)] as const)
    return { faults: [], changed: replace(shapes, all) }
  } catch (error) {
    if (!isFailure(error)) throw error
    return { faults: error.message.split('\n'), changed: [] }
  }
})

// Whoever waits for the first job waits for this too, but it is done while the linter is loading.
await printForCode('', { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} })

// Not what had to be written: somebody may have generated the same already, unseen by the service.
function replace(known: Map<string, string>, all: Iterable<readonly [string, string]>) {
  const names: string[] = []
  for (const [each, text] of all) {
    if (known.get(each) !== text) names.push(each)
    known.set(each, text)
  }
  return names
}

async function read(spec: string): Promise<void> {
  const opened = await openDescription(spec)
  name = nameOf(spec)
  description = await bundleDescription(opened)
  served = printServed(name, description)
}
