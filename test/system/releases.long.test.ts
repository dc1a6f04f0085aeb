import { test } from 'vitest'
import { bumpVersion } from '../../scripts/diff/contract-diff.ts'
import { editSpec, runInCopy } from '../helpers/project-copy.ts'
import { set } from '../helpers/spec-edit.ts'
import { createReleasedClone, followPage, readVersion } from './guide.ts'

test('npm test passes after docs/add-an-operation.md, docs/add-a-field.md and a major release', {
  timeout: 3_600_000,
}, async () => {
  const copy = await createReleasedClone()
  await followPage(copy, 'add-an-operation.md')
  await followPage(copy, 'add-a-field.md')
  const version = bumpVersion(await readVersion(copy), 'major')
  const limit = set('components parameters Limit schema maximum', 50)
  await editSpec(copy, set('info version', version), limit)
  await runInCopy(copy, 'npm run -s generate && git add --all && git commit --quiet --message A')
  await runInCopy(copy, 'npm run -s release && npm test')
})
