import { readFile } from 'node:fs/promises'
import { DescriptionError } from '../pipeline/failure.ts'
import { projectPath, projectSpec, shortPath } from '../pipeline/project.ts'
import { runRedocly } from '../pipeline/redocly.ts'
import type { Step } from './step.ts'

/** What `redocly score` gives a description, each of 100. */
interface Score {
  readonly agentReadiness: number
  readonly discoverability: number
}

/** The score that the project's description once had and must not fall below. */
export const recordedScore = projectPath('spec/score.json')

const figures = ['agentReadiness', 'discoverability'] as const

/** Prints the score of a description, and refuses one that is lower than what a file records. */
export function scoreStep(spec = projectSpec, file = recordedScore): Step {
  return {
    name: 'redocly score',
    async run(tell = () => undefined) {
      const [score, recorded] = await Promise.all([readScore(spec), readRecorded(file)])
      if (score === undefined) return [`${shortPath(spec)} has no score; see why: npm run generate`]
      tell(figures.map((figure) => `${figure} ${score[figure]}`).join(', '))
      const fallen = figures.filter((figure) => score[figure] < recorded[figure])
      if (fallen.length === 0) tellRise(score, recorded, file, tell)
      return fallen.map(
        (figure) =>
          `${figure} fell to ${score[figure]} from the ${recorded[figure]} of ${shortPath(file)}; to see where: npx redocly score ${shortPath(spec)} --operation-details; mend it, or write ${score[figure]} there if that is meant`,
      )
    },
  }
}

function tellRise(score: Score, recorded: Score, file: string, tell: (note: string) => void): void {
  const risen = figures.filter((figure) => score[figure] > recorded[figure])
  for (const figure of risen) {
    tell(`${figure} rose; write ${score[figure]} in ${shortPath(file)}, so that it stays there`)
  }
}

async function readScore(spec: string): Promise<Score | undefined> {
  // A configuration without our own rules, which a score has no use for, is read sooner.
  const configuration = projectPath('scripts/pipeline/lint-levels/minimal.yaml')
  const { output } = await runRedocly('score', spec, '--format=json', '--config', configuration)
  try {
    return toScore(JSON.parse(output))
  } catch {
    return undefined
  }
}

async function readRecorded(file: string): Promise<Score> {
  const score = toScore(JSON.parse(await readFile(file, 'utf8')))
  if (score !== undefined) return score
  throw new DescriptionError([`${shortPath(file)} needs the numbers ${figures.join(' and ')}`])
}

function toScore({ agentReadiness, discoverability }: Partial<Score>): Score | undefined {
  return typeof agentReadiness === 'number' && typeof discoverability === 'number'
    ? { agentReadiness, discoverability }
    : undefined
}
