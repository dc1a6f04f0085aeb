import { spawnSync } from 'node:child_process'
import { project } from './program.ts'

/**
 * Returns each line, and each path, of files that git knows that has a word of a pattern, also as a part
 * of a name in camel case; `files` are pathspecs of git.
 */
export function findWords(pattern: string, files: readonly string[]): string[] {
  const words = `(?:\\b|_|(?<=[a-z])(?=[A-Z]))(?i:${pattern})(?:\\b|_|(?=[A-Z]))`
  const git = (...args: string[]) => {
    const { stdout } = spawnSync('git', args, { cwd: project, encoding: 'utf8' })
    return stdout.split('\n').filter((line) => line !== '')
  }
  const paths = git('ls-files', '--', ...files)
  if (paths.length === 0) {
    throw new Error(`git knows no file of ${files.join(' ')}`)
  }
  const isFound = new RegExp(words)
  return [
    ...git('grep', '-InP', words, '--', ...files),
    ...paths.filter((path) => isFound.test(path)),
  ]
}
