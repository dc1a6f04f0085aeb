import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bumpVersion } from '../../../scripts/diff/contract-diff.ts'
import { commit } from '../../helpers/project-clone.ts'
import { editSpec, runInCopy } from '../../helpers/project-copy.ts'
import { moveSchema, set } from '../../helpers/spec-edit.ts'
import { createBookClub, followPage, readVersion } from './guide.ts'

test('npm test passes after a major release, docs/add-an-operation.md and docs/add-a-field.md', {
  timeout: 3_600_000,
}, async () => {
  const copy = await createBookClub()
  await runInCopy(copy, 'npm run -s release')
  const version = bumpVersion(await readVersion(copy), 'major')
  const lower = set('components schemas NewBook properties title maxLength', 150)
  await editSpec(copy, set('info version', version), lower)
  await runInCopy(copy, `npm run -s generate && ${commit} && npm run -s release`)
  const added = await followPage(copy, 'add-an-operation.md')
  expect(await runInCopy(copy, 'git describe --exact-match')).toBe(`v${added}\n`)
  const changelog = readFileSync(join(copy, 'CHANGELOG.md'), 'utf8')
  expect(changelog).toMatch(/^## [\d.]+ \([\d-]+\)\n\n### New\n\n- .*`getBook`/m)
  await followPage(copy, 'add-a-field.md')
  await runInCopy(copy, `${commit} && npm run -s release`)
  await runInCopy(copy, 'npm test')
})

test('schemas in files of their own change nothing', { timeout: 600_000 }, async () => {
  const copy = await createBookClub()
  await runInCopy(copy, 'npm run -s release && mkdir spec/schemas')
  const edits = ['Book', 'NewBook'].map((name) =>
    moveSchema(name, `schemas/${name}.yaml`, (text) =>
      writeFileSync(join(copy, `spec/schemas/${name}.yaml`), text),
    ),
  )
  await editSpec(copy, ...edits)
  await runInCopy(copy, `npm run -s generate && ${commit}`)
  expect(await runInCopy(copy, 'npm run -s diff')).toMatch(/^Nothing has changed|: no change/m)
  await runInCopy(copy, 'npm run -s check && npx vitest run test/api test/project')
})
