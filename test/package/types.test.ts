import { beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from './support/command.ts'
import { createConsumer, readSource } from './support/consumer.ts'
import { installWithTools } from './support/package.ts'
import { findCompiler } from './support/type-scripts.ts'

interface Config {
  readonly compilerOptions: Readonly<Record<string, unknown>>
  readonly files: readonly string[]
}

const strict = { strict: true, noEmit: true, target: 'es2022', skipDefaultLibCheck: true }
const inBrowsers = { ...strict, lib: ['es2022', 'dom', 'dom.iterable'], types: [] }
const onNode = { ...strict, lib: ['es2022'], types: ['node'] }
const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' }
const ways = [
  nodenext,
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'esnext', moduleResolution: 'bundler' },
  { module: 'preserve', moduleResolution: 'bundler' },
]
// Compilers keep a core busy, and on a busy machine they are slow.
const timeout = 120_000
const uses = ['features.ts', 'wrong-uses.ts', 'journey.ts']

/** Type-checks the files of a project of several ways; rejects with the faults. */
async function check(compiler: string, configs: readonly Config[]): Promise<string> {
  const sources = [...new Set(configs.flatMap(({ files }) => files))]
  const texts = sources.map(async (name) => [name, await readSource(name)] as const)
  const named = configs.map((config, at) => [`${at}.json`, JSON.stringify(config)] as const)
  const files = Object.fromEntries([...(await Promise.all(texts)), ...named])
  const folder = await createConsumer(files, installWithTools())
  const names = named.map(([name]) => name)
  // As one build, which reads what they have in common once.
  return runCommand(process.execPath, [compiler, '--build', ...names], folder)
}

describe.each(['5.4', '5.9', '6.0', '7.0'])('with TypeScript %s', { timeout }, (version) => {
  let compiler = ''
  beforeAll(async () => {
    compiler = await findCompiler(version)
  }, timeout)

  test('every use compiles and every wrong one does not, however modules are resolved', async () => {
    const exact = ways.map((way) => ({
      compilerOptions: { ...inBrowsers, ...way, exactOptionalPropertyTypes: true },
      files: [...uses, 'exact.ts'],
    }))
    // How modules are found and how properties are checked have nothing to do with each other.
    const configs = [...exact, { compilerOptions: { ...inBrowsers, ...nodenext }, files: uses }]
    expect(await check(compiler, configs)).toBe('')
  })

  // The types of Node 26 and of MSW want that much, as does `require` of a module.
  if (version === '5.4') return
  test('the types of Node do instead of those of browsers, in CommonJS too', async () => {
    const files = [...uses, 'exact.ts', 'commonjs.cts']
    const compilerOptions = { ...onNode, ...nodenext, exactOptionalPropertyTypes: true }
    expect(await check(compiler, [{ compilerOptions, files }])).toBe('')
  })

  test('the answers for tests are typed by the contract', async () => {
    const compilerOptions = { ...inBrowsers, ...nodenext, types: ['node'] }
    expect(await check(compiler, [{ compilerOptions, files: ['stand-in.ts'] }])).toBe('')
  })
})

test('a fault in one of the ways is told', async () => {
  const files = ['exact.ts']
  const configs = [true, false].map((exactOptionalPropertyTypes) => ({
    compilerOptions: { ...inBrowsers, ...nodenext, exactOptionalPropertyTypes },
    files,
  }))
  const checked = check(await findCompiler('7.0'), configs)
  await expect(checked).rejects.toThrow("error TS2578: Unused '@ts-expect-error' directive")
})
