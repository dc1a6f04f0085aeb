import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { project } from '../../helpers/program.ts'

const folder = join(project, 'deploy')

/** Returns the text of a file in deploy/. */
export function readDeployFile(name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}

/** Returns the assignments of an env file. */
export function readEnvFile(name: string): Record<string, string> {
  const lines = readDeployFile(name).matchAll(/^([A-Z_]+)=(.*)$/gm)
  return Object.fromEntries([...lines].map(([, key = '', value = '']) => [key, value]))
}

export const dockerfile = readDeployFile('Dockerfile')

/** Returns what follows a keyword of the Dockerfile, line by line, continued lines in one. */
export function linesOf(keyword: string): string[] {
  const lines = dockerfile.replaceAll('\\\n', ' ').matchAll(/^([A-Z]+) +(.*)$/gm)
  return [...lines].flatMap(([, word, rest = '']) => (word === keyword ? [rest] : []))
}

/** The environment that the image sets. */
export const imageEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  linesOf('ENV').flatMap((line) =>
    line.split(/ +/).map((assignment) => assignment.split(/=(.*)/s).slice(0, 2)),
  ),
)

export const composeText = readDeployFile('compose.yaml')

/** The compose file, with each variable given its default, or `filled` where one is required. */
export const compose = parse(
  composeText.replaceAll(/\$\{\w+(:[?-])([^}]*)\}/g, (_, kind: string, rest: string) =>
    kind === ':-' ? rest : 'filled',
  ),
)

/** The objects in the files of deploy/kubernetes, by their kind. */
export const objects = Object.fromEntries(
  readdirSync(join(folder, 'kubernetes'))
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .flatMap((name) => parseAllDocuments(readDeployFile(`kubernetes/${name}`)))
    .map((document) => document.toJS())
    .map((object) => [object.kind, object]),
)
