import { test } from 'vitest'
import { bumpVersion } from '../../../scripts/diff/contract-diff.ts'
import { commit } from '../../helpers/project-clone.ts'
import { editSpec, runInCopy } from '../../helpers/project-copy.ts'
import { set } from '../../helpers/spec-edit.ts'
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
  await followPage(copy, 'add-an-operation.md')
  await followPage(copy, 'add-a-field.md')
  await runInCopy(copy, `${commit} && npm run -s release`)
  await runInCopy(copy, 'npm test')
})
