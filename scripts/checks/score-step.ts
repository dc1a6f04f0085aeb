import { readFile } from 'node:fs/promises'
import { toObject } from '../pipeline/description.ts'
import { projectPath, projectSpec, shortPath } from '../pipeline/project.ts'
import { runRedocly } from '../pipeline/redocly.ts'
import type { Step } from './step.ts'

type Score = Readonly<Record<string, number>>

/**
 * Compares the score of a description with a record, below which it must not fall. The figures in the
 * record, each of 100, are parts of the score that a description of any size can have in full.
 */
export function scoreStep(spec = projectSpec, file = projectPath('spec/score.json')): Step {
  return {
    name: 'redocly score',
    async run(note = () => undefined) {
      const recorded = parseScore(await readFile(file, 'utf8').catch(() => ''))
      if (recorded === undefined) return [`${shortPath(file)} must be JSON with numbers`]
      const score = await readScore(spec)
      if (score === undefined) return [`${shortPath(spec)} has no score; see why: npm run generate`]
      const rows = Object.entries(recorded).map(([figure, least]) => {
        return { figure, least, now: score[figure] ?? 0 }
      })
      note(rows.map(({ figure, now }) => `${figure} ${now}`).join(', '))
      const fallen = rows.filter(({ least, now }) => now < least)
      return fallen.map(
        ({ figure, least, now }) =>
          `${figure} fell to ${now} from the ${least} of ${shortPath(file)}; to see where: npx redocly score ${shortPath(spec)} --operation-details; fix it, or write ${now} there if that is intended`,
      )
    },
  }
}

async function readScore(spec: string): Promise<Score | undefined> {
  const { output } = await runRedocly(['score', spec, '--format=json'])
  const { agentReadiness, subscores } = parse(output)
  const parts = Object.entries(toObject(subscores)).map(([name, part]) => [
    name,
    Number(part) * 100,
  ])
  return parseScore(JSON.stringify({ ...Object.fromEntries(parts), agentReadiness }))
}

/** Reads numbers as whole points: a tenth more or less comes with any operation that is added. */
function parseScore(text: string): Score | undefined {
  const points = Object.entries(parse(text)).map(
    ([figure, value]) => [figure, Math.round(Number(value))] as const,
  )
  const isScore = points.length > 0 && points.every(([, value]) => !Number.isNaN(value))
  return isScore ? Object.fromEntries(points) : undefined
}

function parse(text: string) {
  try {
    return toObject(JSON.parse(text))
  } catch {
    return {}
  }
}
