import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import description from '../../../generated/openapi.json' with { type: 'json' }
import packageJson from '../../../package.json' with { type: 'json' }
import {
  api,
  listPlatformFiles,
  made,
  merged,
  platformInsideApi,
} from '../../../scripts/platform/ownership.ts'
import { project } from '../../helpers/program.ts'

/** The names of this API: what its paths are about, and those in `package.json`, as one pattern. */
function patternOfNames(): string {
  const segments = Object.keys(description.paths).flatMap((path) => path.split('/'))
  const nouns = segments.filter((segment) => /^[a-z]+$/.test(segment))
  const name = packageJson.name.replaceAll('-', '[-_ ]?')
  const prefix = `${packageJson.config.apiKeyPrefix}_`
  const ownNouns = [...new Set(nouns)].map((noun) => patternOfNoun(noun.replace(/s$/, '')))
  return [...ownNouns, `(?i:${name})`, `\\b${prefix}`].join('|')
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
