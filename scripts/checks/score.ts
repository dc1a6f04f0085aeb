import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { toObject } from '../pipeline/description.ts'
import { runRedocly } from '../pipeline/programs.ts'
import { projectPath, projectSpec, shortPath } from '../pipeline/project.ts'

type Score = Readonly<Record<string, number>>

/**
 * Compares the score of the description with a record, below which it must not fall. The figures in the
 * record, each of 100, are parts of the score that a description of any size can have in full.
 */
export async function checkScore(note: (line: string) => void): Promise<readonly string[]> {
  const file = projectPath('spec/score.json')
  if (!existsSync(file)) return []
  const recorded: Score = JSON.parse(await readFile(file, 'utf8'))
  const score = await readScore()
  const spec = shortPath(projectSpec)
  if (score === undefined) return [`${spec} has no score; see why: npm run generate`]
  const figures = Object.keys(recorded)
  note(figures.map((figure) => `${figure} ${score[figure]}`).join(', '))
  return figures.flatMap((figure) => {
    const [least = 0, now = 0] = [recorded[figure], score[figure]]
    if (now >= least) return []
    const advice = `to see where: npx redocly score ${spec} --operation-details; fix it, or write ${now} there if that is intended`
    return [`${figure} fell to ${now} from the ${least} of ${shortPath(file)}; ${advice}`]
  })
}

/** Returns the score in whole points: a tenth more or less comes with any operation that is added. */
async function readScore(): Promise<Score | undefined> {
  const { output } = await runRedocly(['score', projectSpec, '--format=json'])
  if (output === '') return undefined
  const { agentReadiness, subscores } = JSON.parse(output)
  const points = Object.entries(toObject(subscores)).map(([name, part]) => {
    return [name, Math.round(100 * Number(part))]
  })
  return { ...Object.fromEntries(points), agentReadiness: Math.round(agentReadiness) }
}
