import { isDeepStrictEqual } from 'node:util'
import { shortPath } from '../pipeline/project.ts'
import { toCases } from './cases.ts'
import type { Change, ContractDiff, Step } from './contract-diff.ts'
import { inlineParameters } from './inlined-parameters.ts'
import { judgeAnswer } from './judge-answer.ts'
import { judgeOperation } from './judge-operation.ts'
import { judgeMember, judgeOther } from './judge-other.ts'
import { judgeRequest } from './judge-request.ts'
import { judgeSchema } from './judge-schema.ts'
import { judgeText } from './judge-text.ts'
import type { Case, Judge } from './judgement.ts'
import { cutDown, findDifferences, type Pair, readPair } from './pair.ts'
import { toPlace } from './pointer.ts'
import { writeAlike } from './same-meaning.ts'
import { stepVersion } from './version.ts'
import { versionOf } from './whole-description.ts'

const steps: readonly Step[] = ['none', 'patch', 'minor', 'major']
const judges: readonly Judge[] = [
  judgeText,
  judgeSchema,
  judgeOperation,
  judgeRequest,
  judgeAnswer,
  judgeMember,
]

/** Compares two files of a description; `ref` says where the first one comes from. */
export async function compareDescriptions(
  base: string,
  current: string,
  ref = shortPath(base),
): Promise<ContractDiff> {
  const pair = await readPair(base, current)
  const changes = sort(await findChanges(writeAlike(cutDown(inlineParameters(pair)))))
  const step = changes.map((change) => change.step).reduce<Step>(greater, 'none')
  const version = versionOf(pair.base)
  return {
    step,
    base: { version, ref },
    current: { version: versionOf(pair.current) },
    needed: stepVersion(version, step),
    changes,
  }
}

async function findChanges(pair: Pair): Promise<Change[]> {
  if (isDeepStrictEqual(pair.base, pair.current)) return []
  const cases = toCases(pair, await findDifferences(pair))
  const changes = cases.flatMap((difference): Change[] => {
    const judgement = judge(difference)
    if (judgement === 'nothing') return []
    const place = toPlace(difference.pointer)
    return [{ ...judgement, breaking: judgement.step === 'major', place }]
  })
  const distinct = new Map(changes.map((change) => [`${change.place} ${change.what}`, change]))
  return [...distinct.values()]
}

function judge(difference: Case) {
  for (const judgeOne of judges) {
    const judgement = judgeOne(difference)
    if (judgement !== undefined) return judgement
  }
  return judgeOther(difference)
}

function greater(one: Step, other: Step): Step {
  return steps.indexOf(one) < steps.indexOf(other) ? other : one
}

function sort(changes: readonly Change[]): Change[] {
  return changes.toSorted((one, other) => steps.indexOf(other.step) - steps.indexOf(one.step))
}
