import { basename } from 'node:path'
import { checkSync } from 'recheck'
import { toObject } from '../../../server/description/json.ts'
import { compilePattern } from '../../../server/description/pattern.ts'
import { platformName } from '../platform-file.ts'
import type { Location, Rule } from '../rule.ts'

// The other backends are native programs, which exist for some platforms only.
process.env['RECHECK_BACKEND'] = 'pure'

// Limits of work instead of time: the result is the same on a slow machine.
const noTimeouts = {
  timeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  seedingTimeout: null,
  // Negative: what was found is not run again against the clock.
  recallTimeout: -1,
}
/** How much work a check may do. */
const effort = {
  maxNFASize: 3_000,
  incubationLimit: 2_500,
  attackLimit: 1_000_000,
  maxIteration: 2,
  maxInitialGenerationSize: 60,
  maxGenerationSize: 30,
  crossoverSize: 10,
  mutationSize: 10,
}

/** The problem of each pattern that was checked: operations share patterns. */
const problems = new Map<string, string | undefined>()

/**
 * Rejects patterns that do not compile, or that block the event loop while they match some text. Those of the
 * platform are checked by its tests.
 */
export const linearPattern: Rule = () => ({
  Schema(schema, { location, report }) {
    if (basename(location.source.absoluteRef) === platformName) {
      return
    }

    const check = (pattern: string, at: Location) => {
      const message = problemOf(pattern)
      if (message !== undefined) {
        report({ message, location: at })
      }
    }
    const { pattern, patternProperties } = schema
    if (pattern !== undefined) {
      check(String(pattern), location.child('pattern'))
    }
    for (const name of Object.keys(toObject(patternProperties))) {
      check(name, location.child(['patternProperties', name]).key())
    }
  },
})

/** Returns what is wrong with a pattern; finds it out once. */
function problemOf(pattern: string): string | undefined {
  if (!problems.has(pattern)) {
    problems.set(pattern, findProblem(pattern))
  }
  return problems.get(pattern)
}

function findProblem(pattern: string): string | undefined {
  const compiled = tryCompile(pattern)
  if (typeof compiled === 'string') {
    return `The pattern is not a regular expression of ECMAScript: ${compiled}.`
  }

  const slowness = describeSlowness(pattern, compiled.flags)
  if (slowness === undefined) {
    return undefined
  }
  return `The pattern takes ${slowness}; rewrite it so that it can match a text in one way only.`
}

/** Compiles a pattern as the service does; returns the reason if it is no regular expression. */
function tryCompile(pattern: string): RegExp | string {
  try {
    return compilePattern(pattern)
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error))
    return message.split(': ').at(-1) ?? message
  }
}

/** Returns how long a regular expression may take, and on what; undefined if its time is linear. */
export function describeSlowness(pattern: string, flags: string): string | undefined {
  if (isPlain(pattern)) {
    return undefined
  }

  const result = checkSync(pattern, flags, { ...noTimeouts, ...effort })
  if (result.status !== 'vulnerable') {
    return undefined
  }
  const { complexity, attack } = result
  return `${complexity.summary} time and blocks the event loop, for example on ${attack.pattern}`
}

/**
 * Returns whether a pattern matches in linear time by its form, as most patterns do: from the start of the text,
 * without alternatives and groups, and with one repetition of any length at most.
 */
function isPlain(pattern: string): boolean {
  const withoutClasses = pattern.replaceAll(/\\./gs, 'e').replaceAll(/\[[^[\]]*\]/g, 'c')
  const repetitions = withoutClasses.replaceAll(/\{\d+\}/g, '').match(/[*+?{]/g) ?? []
  return /^\^[^()|]*$/.test(withoutClasses) && repetitions.length <= 1
}
