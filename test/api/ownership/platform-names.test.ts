import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../../package.json' with { type: 'json' }
import {
  api,
  listPlatformFiles,
  made,
  merged,
  platformInsideApi,
} from '../../../scripts/platform/ownership.ts'
import { project } from '../../helpers/program.ts'

const read = (file: string) => readFileSync(join(project, file), 'utf8')

/** Names of components of this API that are words of every API. */
const general = ['Limit', 'Status', 'Cursor', 'Id']

/** The keys of a description that have names. */
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId?: string }>>>>
  readonly components: Readonly<Record<'parameters' | 'schemas', object>>
}

/** Returns the names of this API, in its description, its client and `package.json`, as one pattern. */
function patternOfNames(): string {
  const { paths, components }: Description = parse(read('spec/openapi.yaml'))
  const segments = Object.keys(paths).flatMap((path) => path.split('/'))
  const words = segments.filter((segment) => /^[a-z]+(?:[-_][a-z]+)*$/.test(segment))
  const nouns = words.filter((word) => !/[-_]/.test(word))
  const phrases = words.filter((word) => /[-_]/.test(word))

  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const operationIds = operations.flatMap(({ operationId }) => operationId ?? [])
  const named = Object.keys({ ...components.parameters, ...components.schemas })
  const own = named.filter((name) => !general.includes(name))
  const exported = read('client/index.ts').matchAll(/^export (?:class|interface|function) (\w+)/gm)
  const names = [...operationIds, ...own, ...Array.from(exported, ([, name = '']) => name)]

  return [
    ...nouns.map((noun) => patternOfNoun(noun.replace(/s$/, ''))),
    ...[packageJson.name, ...phrases].map(patternOfPhrase),
    ...names.map((name) => `(?i:\\b${name}\\b)`),
    `\\b${packageJson.config.apiKeyPrefix}_`,
  ].join('|')
}

/** Matches several words as a part of a text or of a name: `book-club`, `Book Club`, `bookClub`. */
function patternOfPhrase(phrase: string): string {
  return `(?i:${phrase.replaceAll(/[-_]/g, '[-_ ]?')})`
}

/** Matches a noun as a word of a text or of a name: `tool`, `Tools`, `listTools`, not `toolbox`. */
function patternOfNoun(noun: string): string {
  const capitalised = noun.charAt(0).toUpperCase() + noun.slice(1)
  return `(?<![A-Za-z])${noun}s?(?![a-z])|${capitalised}s?(?![a-z])`
}

test('no file of the platform has a name of this API', async () => {
  const files = await listPlatformFiles()
  expect(files.length).toBeGreaterThan(300)

  const pattern = patternOfNames()
  const options = { cwd: project, encoding: 'utf8' } as const
  const { stdout } = spawnSync('git', ['grep', '-InP', pattern, '--', ...files], options)
  const named = files.filter((file) => new RegExp(pattern).test(file))
  expect([...stdout.split('\n').filter((line) => line !== ''), ...named]).toEqual([])
})

test('this API has each file and folder that platform.json lists', () => {
  const listed = [...api, ...platformInsideApi, ...merged, ...made]
  expect(listed.filter((entry) => !existsSync(join(project, entry)))).toEqual([])
})
