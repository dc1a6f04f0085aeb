import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { DockerfileParser, type Instruction, type JSONInstruction } from 'dockerfile-ast'

export const project = resolve(import.meta.dirname, '../../..')
export const dockerfileText = readFileSync(resolve(project, 'deploy/Dockerfile'), 'utf8')

/** An instruction of the Dockerfile, its flags and variables resolved. */
export interface Step {
  readonly keyword: string
  readonly args: readonly string[]
  /** The stage that `COPY --from` names. */
  readonly from: string | undefined
}

export interface Stage {
  readonly name: string
  readonly steps: readonly Step[]
}

const parsed = DockerfileParser.parse(dockerfileText)

/** What `NODE_IMAGE` is when nobody gives another one. */
export const nodeImage = parsed.getInitialARGs()[0]?.getProperty()?.getValue() ?? undefined

/** The images that the stages begin with, as they are written. */
export const baseImages = parsed.getFROMs().map((from) => from.getImage())

/** The stages in their order; the last one is the image. */
export const stages: readonly Stage[] = parsed.getFROMs().map((from, index, all) => {
  const begin = from.getRange().start.line
  const end = all[index + 1]?.getRange().start.line ?? Number.POSITIVE_INFINITY
  const steps = parsed
    .getInstructions()
    .filter((step) => step.getRange().start.line > begin && step.getRange().start.line < end)
  return { name: from.getBuildStage() ?? String(index), steps: steps.map(toStep) }
})

/** The environment that the image sets. */
export const imageEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  parsed
    .getENVs()
    .flatMap((env) => env.getProperties())
    .map((property) => [property.getName(), property.getValue() ?? '']),
)

/** The command of the health check, in the exec form. */
export const healthCommand = toExecForm(parsed.getHEALTHCHECKs()[0]?.getRawArgumentsContent())

function toStep(instruction: Instruction): Step {
  const keyword = instruction.getKeyword()
  const flags = hasFlags(instruction) ? instruction.getFlags() : []
  const from = flags.find((flag) => flag.getName() === 'from')?.getValue() ?? undefined
  const text = instruction.getRawArgumentsContent() ?? ''
  const args = text.trimStart().startsWith('[')
    ? toExecForm(text)
    : instruction.getArguments().map((argument) => argument.getValue())
  return { keyword, from, args: args.filter((argument) => !argument.startsWith('--from=')) }
}

function hasFlags(instruction: Instruction): instruction is JSONInstruction {
  return 'getFlags' in instruction
}

/** Reads the words of an exec form: a JSON array, behind the flags and the keyword if any. */
function toExecForm(text: string | null | undefined): string[] {
  const words: unknown = JSON.parse(text?.slice(text.indexOf('[')) ?? '')
  if (!Array.isArray(words)) throw new Error(`No exec form: ${text}`)
  return words.map(String)
}
