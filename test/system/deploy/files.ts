import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

export const project = resolve(import.meta.dirname, '../../..')
const folder = join(project, 'deploy')
const manifests = join(folder, 'kubernetes')

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

/** What of a service in the compose file is looked at. */
interface ComposeService {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: unknown
  readonly ports?: readonly string[]
  readonly profiles?: readonly string[]
  readonly volumes?: readonly string[]
  readonly networks: readonly string[]
  readonly scale?: number
  readonly stop_grace_period?: string
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly networks: Readonly<Record<string, unknown>>
}

export const composeText = readDeployFile('compose.yaml')

/** The compose file, with each variable given its default, or `filled` where one is required. */
export const compose: Compose = parse(
  composeText.replaceAll(/\$\{\w+(:[?-])([^}]*)\}/g, (_, kind: string, rest: string) =>
    kind === ':-' ? rest : 'filled',
  ),
)

/** A Kubernetes object, whose members are looked up by `at`. */
export interface KubernetesObject {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly stringData?: Readonly<Record<string, string>>
}

/** Every object in the files of deploy/kubernetes. */
export const objects: readonly KubernetesObject[] = readdirSync(manifests)
  .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  .flatMap((name) => parseAllDocuments(readFileSync(join(manifests, name), 'utf8')))
  .map((document) => document.toJS())

/** Returns the value at a path such as `spec.template.spec` in the one object of a kind. */
export function at(kind: string, path: string): unknown {
  const object: unknown = objects.find((each) => each.kind === kind)
  if (object === undefined) throw new Error(`deploy/kubernetes has no ${kind}`)
  return path.split('.').reduce((value, name) => Object(value)[name], object)
}
