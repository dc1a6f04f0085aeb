import { type Artifacts, printArtifacts } from '../pipeline/artifacts.ts'
import { bundleDescription, openDescription } from '../pipeline/bundle.ts'
import { isFailure } from '../pipeline/failure.ts'
import { writeFolder } from '../pipeline/output-folder.ts'
import { answerJobs } from './answer-jobs.ts'

/** What the compiler is asked for: to compile a description, or to write what it compiled last. */
export type CompilerJob =
  | { readonly kind: 'compile'; readonly spec: string }
  | { readonly kind: 'write'; readonly out: string }

/** The lines of what is wrong with a description, or the files that were changed. */
export type CompilerResult = {
  readonly faults: readonly string[]
  readonly changed: readonly string[]
}

let compiled: Artifacts | undefined

answerJobs(async (job: CompilerJob): Promise<CompilerResult> => {
  if (job.kind === 'compile') return { faults: await compile(job.spec), changed: [] }
  if (compiled === undefined) throw new Error('Nothing is compiled yet.')
  return { faults: [], changed: await writeFolder(job.out, compiled) }
})

async function compile(spec: string): Promise<readonly string[]> {
  compiled = undefined
  try {
    const opened = await openDescription(spec)
    compiled = await printArtifacts(opened.file, await bundleDescription(opened))
    return []
  } catch (error) {
    if (!isFailure(error)) throw error
    return error.message.split('\n')
  }
}
