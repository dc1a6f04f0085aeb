import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDescription } from '../../../scripts/pipeline/bundle.ts'
import { findProblems } from '../../../scripts/pipeline/lint.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const cents = { type: 'number', multipleOf: 0.01 }
const code = { type: 'string', pattern: '^[\\w-.]+$' }

/** Examples of a schema, with the rule that rejects them; the service accepts the others. */
const examples: readonly (readonly [schema: object, example: unknown, rule?: string])[] = [
  [cents, 19.99],
  [cents, 0.07],
  [{ type: 'object', properties: { amount: cents } }, { amount: 4.35 }],
  [{ type: 'array', items: { type: 'number', multipleOf: 0.1 } }, [0.1, 0.3, 1.1]],
  [code, 'a-b.c'],
  [{ type: 'object', properties: { code } }, { code: 'a.b' }],
  [{ type: 'array', prefixItems: [cents, code], minItems: 2 }, [0.29, 'a']],
  [cents, 19.999, 'no-invalid-media-type-examples'],
  [
    { type: 'object', properties: { amount: cents } },
    { amount: 0.001 },
    'no-invalid-media-type-examples',
  ],
  [{ type: 'string', pattern: '^[a' }, 'a', 'service/linear-pattern'],
  [{ type: 'integer', enum: [] }, 1, 'service/enum-values'],
]

test.for(examples)(
  'of %j, %j is accepted, unless a rule rejects it',
  async ([schema, example, rule]) => {
    const content = { 'application/json': { schema, example } }
    const get = { operationId: 'getA', responses: { 200: { description: 'OK', content } } }
    const info = { title: 'A', version: '1.0.0' }
    const spec = join(createTemporaryFolder(), 'openapi.json')
    const description = {
      openapi: '3.1.0',
      info,
      servers: [{ url: '/v1' }],
      paths: { '/a': { get } },
    }
    await writeFile(spec, JSON.stringify(description))
    const findings = await findProblems(await openDescription(spec), 'served')
    const about =
      /no-invalid-[a-z-]+-examples |service\/(?:linear-pattern|enum-values|known-keywords) /
    const found = findings.map(({ line }) => about.exec(line)?.[0]?.trim()).filter(Boolean)
    if (rule === undefined) {
      expect(found).toEqual([])
    } else {
      expect(found).toContain(rule)
    }
  },
)
