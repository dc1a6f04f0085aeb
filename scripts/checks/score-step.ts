import { readFile } from 'node:fs/promises'
import type { JsonObject } from '../pipeline/description.ts'
import { projectPath, projectSpec, shortPath } from '../pipeline/project.ts'
import { runRedocly } from '../pipeline/redocly.ts'
import type { Step } from './step.ts'

/**
 * The figures that are held, each of 100: the whole, which is that of the median operation alone, and
 * those parts that a description of any size can have in full.
 */
const figures = [
  'agentReadiness',
  'documentationQuality',
  'exampleCoverage',
  'errorClarity',
] as const
type Score = Readonly<Record<(typeof figures)[number], number>>

/** The score that the project's description once had and must not fall below. */
export const recordedScore = projectPath('spec/score.json')

/** Prints the score of a description, and refuses one that is lower than what a file records. */
export function scoreStep(spec = projectSpec, file = recordedScore): Step {
  return {
    name: 'redocly score',
    async run(tell = () => undefined) {
      const [score, recorded] = await Promise.all([readScore(spec), readRecorded(file)])
      if (score === undefined) return [`${shortPath(spec)} has no score; see why: npm run generate`]
      if (recorded === undefined) {
        return [`${shortPath(file)} must be JSON with the numbers ${figures.join(', ')}`]
      }
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
    const { agentReadiness, subscores } = JSON.parse(output)
    return toScore({ agentReadiness, ...mapToPercent(subscores) })
  } catch {
    return undefined
  }
}

async function readRecorded(file: string): Promise<Score | undefined> {
  try {
    return toScore(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return undefined
  }
}

function mapToPercent(subscores: object): Readonly<Record<string, number>> {
  const entries = Object.entries(subscores)
  return Object.fromEntries(entries.map(([name, part]) => [name, part * 100]))
}

function toScore(found: JsonObject): Score | undefined {
  // Whole points: a tenth more or less comes with any operation that is added.
  const read = (figure: keyof Score) => Math.round(Number(found[figure]))
  if (figures.map(read).some(Number.isNaN)) return undefined
  return {
    agentReadiness: read('agentReadiness'),
    documentationQuality: read('documentationQuality'),
    exampleCoverage: read('exampleCoverage'),
    errorClarity: read('errorClarity'),
  }
}
