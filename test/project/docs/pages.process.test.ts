import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findBrokenReferences, listPages } from '../../helpers/pages.ts'
import { project, runProgram } from '../../helpers/program.ts'

test('the pages name npm scripts, files and headings that exist', () => {
  expect(findBrokenReferences(project)).toEqual([])
})

test('the Markdown of the pages is well-formed', async () => {
  const cli = join(project, 'node_modules/@redocly/cli/bin/cli.js')
  // Releases have the same headings in the changelog.
  const pages = listPages(project).filter((page) => !/^(?:\.github\/|CHANGELOG)/.test(page))
  const { status, output } = await runProgram(cli, ['recheck', ...pages], { cwd: project })
  expect(status, output).toBe(0)
})
