import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { project } from './dockerfile.ts'

const folder = join(project, 'deploy')
const manifests = join(folder, 'kubernetes')

/** The text of a file in deploy/. */
export function readDeployFile(name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}

/** The assignments of an env file. */
export function readEnvFile(name: string): Record<string, string> {
  const lines = readDeployFile(name).split('\n')
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, key = '', value = ''] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
      return key === '' ? [] : [[key, value]]
    }),
  )
}

/** What of a service in a compose file is looked at here. */
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
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly networks: Readonly<Record<string, unknown>>
}

export const composeText = readDeployFile('compose.yaml')

/** The compose file, with each variable given its default, or `filled` where one is demanded. */
export const compose: Compose = parse(
  composeText.replaceAll(/\$\{\w+(:[?-])([^}]*)\}/g, (_, kind: string, rest: string) =>
    kind === ':-' ? rest : 'filled',
  ),
)

/** What of a Kubernetes object is looked at without knowing its kind. */
export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}

/** Every object in the files of deploy/kubernetes. */
export const objects: readonly KubernetesObject[] = readdirSync(manifests)
  .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
  .flatMap((name) => parseAllDocuments(readFileSync(join(manifests, name), 'utf8')))
  .map((document) => document.toJS())

/** The one object of a kind; its type says what the compiler has checked it against. */
export function objectOf<Kind extends { kind?: string }>(kind: NonNullable<Kind['kind']>): Kind {
  const found: unknown = objects.find((object) => object.kind === kind)
  if (found === undefined) throw new Error(`deploy/kubernetes has no ${kind} any more`)
  // kubernetes.test.ts has the compiler check each object against this type.
  return found as Kind
}
