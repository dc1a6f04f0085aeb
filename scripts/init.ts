import { existsSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { servedOperations } from '../server/description/unserved.ts'
import { parseOptions, UsageError } from '../server/process/options.ts'
import { missingSamples } from './checks/samples.ts'
import { releaseTags } from './diff/released.ts'
import { printApiHalf, toKeyPrefix } from './init/api-half.ts'
import { listUnfinished } from './init/authenticators.ts'
import { readGivenDescription } from './init/given-description.ts'
import { describeOwnServers } from './init/own-servers.ts'
import { readPlatformVersion } from './init/platform-version.ts'
import { replaceApi } from './init/replace-api.ts'
import { runCommand } from './pipeline/failure.ts'
import { isRepository, runGit } from './pipeline/git.ts'
import { projectPath } from './pipeline/project.ts'
import { describeServed } from './pipeline/served.ts'
import { listTrackedFiles, ownerOf } from './platform/ownership.ts'

const usage = 'usage: npm run init -- --spec FILE --name NAME'

await runCommand(usage, async () => {
  const { spec, name } = readArguments()
  rejectSecondRun()
  await rejectUncommitted()

  const description = await readGivenDescription(spec)
  const { model } = description
  for (const { path, changes } of description.files) {
    for (const change of changes) {
      console.log(`spec/${path}: the reference ${change}`)
    }
  }
  for (const { where, what } of listUnfinished([...model.securitySchemes.values()])) {
    console.log(`${where}: ${what}`)
  }

  for (const line of [...description.notes, ...describeOwnServers(model)]) {
    console.log(line)
  }

  const missing = missingSamples(model, servedOperations(model))
  const platform = await readPlatformVersion()
  if (platform.commit === undefined) {
    console.log('package.json has no commit of the platform: this folder is no repository of git')
  }

  const apiKeyPrefix = toKeyPrefix(name)
  const files = await printApiHalf({ name, apiKeyPrefix, description, platform })
  // The replacement takes seconds, and a signal would leave it half done.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => undefined)
  }
  await replaceApi(files)
  await removeReleaseTags()
  await printLeftOriginals(description.files.map(({ original }) => original))

  console.log(`
${name} is a project of its own. spec/openapi.yaml is the description as it was given; its
operations are samples until they have a handler in server/api/handlers.ts.

  npm start               serves it: requests are validated, API keys and rate limits apply
  npm run check           lint, types and freshness of generated/
  npm test                the same, and the tests of this API
  npm run test:platform   the tests of the platform
  git add --all && git commit --message 'Begin ${name}'
  npm run release         now, if the API has callers: later edits are compared with it

API keys begin with ${apiKeyPrefix}_, as config.apiKeyPrefix in package.json says.
docs/your-own-api.md continues from here: the first operation that stores something.

${describeServed(model, missing).join('\n')}`)
})

function readArguments() {
  const text = { type: 'string' } as const
  const { spec, name } = parseOptions({ options: { spec: text, name: text } }).values
  if (spec === undefined || name === undefined) {
    throw new UsageError(usage)
  }
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40) {
    throw new UsageError(
      `--name is a word or several with dashes, such as city-museum, not '${name}'; ${usage}`,
    )
  }
  if (/^https?:/.test(spec)) {
    throw new UsageError(`--spec is a file; download ${spec} first`)
  }
  return { spec: resolve(spec), name }
}

function rejectSecondRun(): void {
  if (!('platform' in packageJson)) {
    return
  }
  throw new UsageError(
    `this is the project ${packageJson.name} already: edit spec/openapi.yaml, or run init in a new clone of the platform`,
  )
}

/** Throws if changes that are not committed would be lost. */
async function rejectUncommitted(): Promise<void> {
  if (!(await isRepository())) {
    return
  }
  const options = ['--porcelain', '--no-renames', '--untracked-files=all']
  const status = await runGit(['-c', 'core.quotePath=off', 'status', ...options, '--', '.'])
  const changes = status.split('\n').filter((line) => line !== '')
  const lost = changes.filter((line) => ownerOf(pathOf(line)) !== 'platform')
  if (lost.length === 0) {
    return
  }
  const advice = 'init replaces these files, which have changes; commit or move them first:'
  throw new UsageError([advice, ...lost].join('\n'))
}

/** Returns the path of a line such as ` M README.md`: it follows two letters and a space. */
function pathOf(line: string): string {
  return line.slice(3).replaceAll(/^"|"$/g, '')
}

/** Prints which files of the given description would be committed beside their copies in `spec`. */
async function printLeftOriginals(originals: readonly string[]): Promise<void> {
  const tracked = (await isRepository()) ? await listTrackedFiles() : []
  const inProject = originals.map((file) => relative(projectPath(), file).replaceAll(sep, '/'))
  const left = inProject.filter((path) => {
    const isOutside = path.startsWith('../') || isAbsolute(path)
    return !isOutside && !tracked.includes(path) && existsSync(projectPath(path))
  })
  if (left.length === 0) {
    return
  }
  console.log(
    `${left.join(', ')}: copied to spec, which is the one to keep; delete or move the original`,
  )
}

/** Removes the tags of the releases of the API that was replaced. */
async function removeReleaseTags(): Promise<void> {
  const tags = await releaseTags()
  if (tags.length > 0) {
    await runGit(['tag', '--delete', ...tags])
  }
  for (const tag of tags) {
    console.log(`git tag ${tag}: removed; it is a release of another API`)
  }
}
