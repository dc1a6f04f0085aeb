import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compile } from '../../scripts/pipeline/artifacts.ts'
import { readGenerateOptions } from '../../scripts/pipeline/command-line.ts'
import { generate } from './support/program.ts'
import { createFolder, project, writeSpec } from './support/workspace.ts'

describe('a description that cannot be read is refused in one line', () => {
  const rest = 'info: { title: A, version: "1" }\npaths: {}\n'
  test.for([
    ['YAML that breaks off', 'openapi: 3.1.0\n a: [\n', /openapi\.yaml:2:3 syntax bad indentation/],
    ['an empty file', '', /openapi\.yaml is not an OpenAPI description; it must begin with/],
    ['a list', '- 1\n', /openapi\.yaml is not an OpenAPI description; it must begin with/],
    [
      'OpenAPI 2.0',
      `swagger: "2.0"\n${rest}`,
      /is OpenAPI 2\.0; it must begin with openapi: 3\.0\.x or 3\.1\.x/,
    ],
    ['OpenAPI 3.2', `openapi: 3.2.0\n${rest}`, /is OpenAPI 3\.2\.0; it must begin with/],
    [
      'a reference to nothing',
      `openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths:\n  /a: { $ref: none.yaml }\n`,
      /openapi\.yaml:4:7 no-unresolved-refs/,
    ],
    [
      'an operationId used twice',
      `openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths:\n  /a:\n    get: { operationId: a, responses: {} }\n    put: { operationId: a, responses: {} }\n`,
      /openapi\.yaml:6:\d+ operation-operationId-unique/,
    ],
  ] as const)('%s', async ([, text, complaint]) => {
    const compiled = compile(await writeSpec(text), 'minimal')
    await expect(compiled).rejects.toThrow(complaint)
    await expect(compiled).rejects.toThrow(/^[^\n]+$/)
  })
})

describe('a mistake in the command is told in one line, with exit status 2', () => {
  test('through the program', async () => {
    const { status, complaint } = await generate(
      '--spec',
      'none.yaml',
      '--out',
      await createFolder(),
    )
    expect({ status, complaint }).toEqual({ status: 2, complaint: 'there is no file none.yaml\n' })
  })

  test('an output folder that cannot be made', async () => {
    const file = await writeSpec('')
    const { status, complaint } = await generate(
      '--spec',
      join(project, 'spec/openapi.yaml'),
      '--out',
      join(file, 'out'),
    )
    expect(status).toBe(2)
    expect(complaint).toMatch(/^cannot write to \S+: [^\n]+\n$/)
  })

  test.for([
    [
      ['--lint', 'lax'],
      /^--lint is strict, recommended, minimal, not 'lax'; usage: npm run generate/,
    ],
    [['--sepc', 'a.yaml'], /^Unknown option '--sepc'; usage: /],
    [['a.yaml'], /^Unexpected argument 'a\.yaml'; usage: /],
    [['--out'], /^Option '--out <value>' argument missing; usage: /],
    [['--spec', 'a.yaml'], /^--spec needs --out/],
  ] as const)('%j', ([args, complaint]) => {
    expect(() => readGenerateOptions(args)).toThrow(complaint)
  })
})
