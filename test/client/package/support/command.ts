import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const runFile = promisify(execFile)

interface Environment {
  readonly [name: string]: string | undefined
}

/** Runs a command to its end, and gives its output; rejects with all that it said when it fails. */
export async function runCommand(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Environment = {},
): Promise<string> {
  const options = { cwd, env: { PATH: process.env['PATH'], ...env }, maxBuffer: 2 ** 26 }
  try {
    const { stdout } = await runFile(command, args, { ...options, timeout: 120_000 })
    return stdout
  } catch (error) {
    const { stdout, stderr } = { stdout: '', stderr: String(error), ...Object(error) }
    throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`)
  }
}

/** Runs npm as its user has set it up. */
export function runNpm(cwd: string, ...args: readonly string[]): Promise<string> {
  return runCommand('npm', args, cwd, process.env)
}

/** Installs packages into a folder, from npm's cache where that has them. */
export async function install(folder: string, ...packages: readonly string[]): Promise<void> {
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  // Who is without a registry learns it before the hook of a test runs out of time.
  const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=45000']
  try {
    await runNpm(folder, 'install', ...options, ...patience, ...packages)
  } catch (error) {
    const wanted = packages.join(' ')
    throw new Error(`npm cannot install ${wanted}: is its registry within reach?`, { cause: error })
  }
}
