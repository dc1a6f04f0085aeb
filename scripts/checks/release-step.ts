import { checkKept, findReleased } from '../diff/released.ts'
import { passGate } from '../gate/gate.ts'
import { isFailure } from '../pipeline/failure.ts'
import { projectSpec } from '../pipeline/project.ts'
import type { Step } from './step.ts'

/** Compares the description with the last release: its version, its sunsets, what was stored. */
export function releaseStep(): Step {
  return {
    name: 'version and promises since the last release',
    async run(tell = () => undefined) {
      try {
        const [released, problem] = await Promise.all([findReleased(), checkKept()])
        const { errors, notes } = await passGate({ spec: projectSpec, released, today: new Date() })
        for (const note of notes) tell(note)
        return problem === '' ? errors : [problem, ...errors]
      } catch (error) {
        if (!isFailure(error)) throw error
        return error.message.split('\n')
      }
    },
  }
}
