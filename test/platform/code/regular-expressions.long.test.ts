import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { describeSlowness } from '../../../scripts/lint/rules/linear-pattern.ts'
import { listPlatformFiles } from '../../../scripts/platform/ownership.ts'
import { visitSchemas } from '../../../server/description/nodes.ts'
import { compilePattern } from '../../../server/description/pattern.ts'
import { project } from '../../helpers/program.ts'

/** Returns the regular expressions that are written in a file, with their lines. */
function readExpressions(file: string) {
  const text = readFileSync(join(project, file), 'utf8')
  const { program, errors } = parseSync(file, text)
  expect(errors).toEqual([])
  const found: { place: string; pattern: string; flags: string }[] = []
  const visitor = new Visitor({
    Literal(node) {
      if (!('regex' in node)) {
        return
      }
      const line = text.slice(0, node.start).split('\n').length
      found.push({ place: `${file}:${line} ${node.raw}`, ...node.regex })
    },
  })
  visitor.visit(program)
  return found
}

test.each(['client', 'server', 'scripts'])(
  "the platform's regular expressions in %s/ take linear time on every text",
  async (folder) => {
    const isCode = (file: string) => file.startsWith(`${folder}/`) && /\.[jt]s$/.test(file)
    const files = (await listPlatformFiles()).filter(isCode)
    const expressions = files.flatMap(readExpressions)
    expect(files.length).toBeGreaterThan(0)
    const slow = expressions.flatMap(({ place, pattern, flags }) => {
      const slowness = describeSlowness(pattern, flags)
      return slowness === undefined ? [] : [`${place} takes ${slowness}`]
    })
    expect(slow).toEqual([])
  },
)

test('the patterns in spec/platform.yaml take linear time on every text', () => {
  const platform: unknown = parse(readFileSync(join(project, 'spec/platform.yaml'), 'utf8'))
  const patterns = new Set<string>()
  visitSchemas(platform, 'document', ({ pattern }) => {
    if (typeof pattern === 'string') {
      patterns.add(pattern)
    }
  })
  expect(patterns.size).toBeGreaterThan(0)
  const slow = [...patterns].flatMap((pattern) => {
    const slowness = describeSlowness(pattern, compilePattern(pattern).flags)
    return slowness === undefined ? [] : [`${pattern} takes ${slowness}`]
  })
  expect(slow).toEqual([])
})
