import { resolve } from 'node:path'
import { releaseTags, runGit } from './diff/released.ts'
import { convertDescription } from './init/convert.ts'
import { rejectInvalid, rejectProject, replaceApi } from './init/project.ts'
import { bundleDescription, openDescription } from './pipeline/bundle.ts'
import { parseOptions, runCommand, UsageError } from './pipeline/failure.ts'

const usage = 'usage: npm run init -- --spec FILE --name NAME'

await runCommand(usage, async () => {
  const { spec, name } = readArguments()
  await rejectProject(name)
  const own = await bundleDescription(await openDescription(spec))
  const { description, changes } = await convertDescription(own)
  await rejectInvalid(spec, description)
  for (const { where, what } of changes) console.log(`${where}: ${what}`)
  const operations = await replaceApi(name, description)
  // The tags are releases of the API that was replaced.
  const tags = await releaseTags()
  if (tags.length > 0) await runGit(['tag', '--delete', ...tags])
  for (const tag of tags) console.log(`git tag ${tag}: removed; it is a release of another API`)
  console.log(`
${name} is a project of its own: ${operations} operations in spec/openapi.yaml, each a sample of
the description until it has a handler in server/${name}/handlers.ts.

  npm start           serves it: requests are validated, API keys and rate limits apply
  npm run check       lint, types and freshness of generated/
  npm test            the same, and the tests
  git add --all && git commit --message 'Begin ${name}'

docs/your-own-api.md continues from here: the first operation that stores something.`)
})

function readArguments() {
  const text = { type: 'string' } as const
  const { spec, name } = parseOptions({ options: { spec: text, name: text } }).values
  if (spec === undefined || name === undefined) throw new UsageError(usage)
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40) {
    throw new UsageError(
      `--name is a word or several with dashes, such as city-museum, not '${name}'; ${usage}`,
    )
  }
  if (/^https?:/.test(spec)) throw new UsageError(`--spec is a file; download ${spec} first`)
  return { spec: resolve(spec), name }
}
