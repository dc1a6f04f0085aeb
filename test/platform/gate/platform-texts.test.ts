import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { passGate, toLines } from '../../../scripts/diff/gate.ts'
import { reports } from '../../../scripts/diff/report.ts'
import { projectPath } from '../../../scripts/pipeline/project.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const description = `openapi: 3.1.0
info: { title: Tools, version: 1.0.0 }
paths:
  /tools:
    get:
      operationId: listTools
      summary: List the tools
      responses:
        "200": { description: The tools. }
        "401": { $ref: "platform.yaml#/components/responses/Unauthorized" }
`
const platform = readFileSync(projectPath('spec/platform.yaml'), 'utf8')
const text = 'The API key is missing or invalid.'

/** Returns what the gate finds when a description, or the platform's file beside it, was edited. */
function judge(edit: { spec?: string; platform?: string }) {
  const folder = createTemporaryFolder()
  const write = (name: string, files: { spec?: string; platform?: string }) => {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'platform.yaml'), files.platform ?? platform)
    writeFileSync(join(folder, name, 'openapi.yaml'), files.spec ?? description)
    return join(folder, name, 'openapi.yaml')
  }
  const released = { ref: 'v1.0.0', file: write('released', {}) }
  const { errors, diff } = passGate({ spec: write('edited', edit), released, today: new Date() })
  return { errors: toLines(errors), diff }
}

test('what the platform says in other words needs no version of the API, and is listed', () => {
  expect(platform).toContain(text)
  const { errors, diff } = judge({ platform: platform.replaceAll(text, 'No valid API key.') })
  expect(errors).toEqual([])
  expect(diff?.needed).toBe('1.0.0')
  expect(diff?.changes.map(({ id }) => id)).toContain('text-reworded')
})

test('reports count what the platform says in other words apart from the texts of the API', () => {
  const edited = platform.replaceAll(text, 'No valid API key.')
  const spec = description.replace('The tools.', 'All tools.')
  const { errors, diff } = judge({ spec, platform: edited })
  // The lines below the version are the changes that need it.
  expect(errors.slice(1)).toEqual([expect.stringContaining('The description')])
  const print = (format: string, isWhole = false) => {
    return diff === undefined ? '' : String(reports.get(format)?.(diff, isWhole))
  }
  const counts =
    /1 text or example was reworded; \d+ texts and examples of the platform were reworded\./
  expect(print('text')).toMatch(counts)
  const platformLine = /^none {3}\S.*platform\.yaml:\d+\) {2}text-reworded$/m
  expect(print('text', true)).toMatch(platformLine)
  const folded = print('markdown').split('<details>').slice(1)
  expect(folded).toEqual([
    expect.stringMatching(/^<summary>1 text or example was reworded<.*\| patch \|/s),
    expect.stringMatching(/^<summary>\d+ texts and examples of the platform .*\| none \|/s),
  ])
})

test('a change of the platform that programs notice, and other words of the API, need a version', () => {
  const limit = 'schema: { type: integer, minimum: 0 }'
  expect(platform).toContain(limit)
  const wider = judge({ platform: platform.replace(limit, 'schema: { type: integer }') })
  expect(wider.errors[0]).toContain('info.version is 1.0.0 and must be at least')

  const reworded = judge({ spec: description.replace('The tools.', 'All tools.') })
  expect(reworded.errors[0]).toContain('must be at least 1.0.1')
})
