import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from '../../helpers/program.ts'

/** Words that have no meaning of their own in the field, each with the field's term. */
const words: readonly (readonly [pattern: RegExp, term: string])[] = [
  [/\banswer(?:s|ed|ing)?\b/i, 'response, or: responds'],
  [/\breply\b|\breplies\b|\breplied\b/i, 'response'],
  [/\brefus(?:e|es|al|als|ing)\b/i, 'reject, ApiError'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bdoubt(?:s|ful)?\b/i, 'unsupported'],
  [/\btall(?:y|ies)\b|\bkeyring\b|\bapplicant\b/i, 'rate limiter, API key cache, credentials'],
  [/\bpatien(?:ce|t)\b/i, 'timeout'],
  [/\bstand-?ins?\b/i, 'mock'],
  [/\blookout\b|\blateness\b|\bturned.away\b/i, 'load shedding'],
  [/(?<!user=)\b(?:no|some|every|any)body\b|\bwhoever\b/i, 'client, caller, process, no one'],
  [/\bgoes on\b|\bstands still\b|\bbegun anew\b|\bas it stands\b/i, 'continues, unchanged'],
  [/\bleft out\b/i, 'skipped, omitted'],
]

/** Files that are not written by hand, quote what was said before, or use a library's own word. */
const skipped = [
  /^(?:.*\/)?generated\//,
  /^package-lock\.json$/,
  /^LICENSE$/,
  /^CHANGELOG\.md$/,
  /^spec\/released\.yaml$/,
  /^docs\/adr\/0018-words\.md$/,
  /^test\/tests-of-1\.0\.0\.md$/,
  /^test\/system\/(?:kept-store|responses)\//,
  /^test\/system\/docs\/words\.test\.ts$/,
  // Fastify and the client of Redis call a response a reply.
  /^bench\/peers\/fastify\.ts$/,
  /^server\/auth\/redis-rate-limiter\.ts$/,
  // Instances of other versions use the same names of fields.
  /^server\/auth\/count\.lua$/,
]

test('names and texts use the words of the field', () => {
  const options = { cwd: project, encoding: 'utf8' } as const
  const files = execFileSync('git', ['ls-files'], options).split('\n').filter(Boolean)
  const written = files.filter(
    (file) =>
      /\.(?:[jt]s|lua|md|ya?ml|json|css|html|cfg|env)$/.test(file) &&
      !skipped.some((pattern) => pattern.test(file)),
  )
  expect(written.length).toBeGreaterThan(300)
  const found = written.flatMap((file) => {
    const lines = readFileSync(join(project, file), 'utf8').split('\n')
    return lines.flatMap((line, index) => {
      // Identifiers are read by their words.
      const text = line.replaceAll(/([a-z])(?=[A-Z])|_/g, '$1 ')
      return words
        .filter(([pattern]) => pattern.test(text))
        .map(([pattern, term]) => `${file}:${index + 1} ${pattern.exec(text)?.[0]} (use: ${term})`)
    })
  })
  expect(found).toEqual([])
})
