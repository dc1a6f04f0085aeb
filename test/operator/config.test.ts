import { describe, expect, test } from 'vitest'
import { ConfigRefused, readConfig } from '../../server/config.ts'
import { accepted, refused, usual } from './config-values.ts'

function problemsOf(environment: Readonly<Record<string, string>>): string {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigRefused) return error.message
    throw error
  }
  return ''
}

describe('the configuration', () => {
  test('needs nothing, and has the documented defaults', () => {
    expect(readConfig({})).toEqual(usual)
    expect(readConfig({ SOMETHING_ELSE: 'x' })).toEqual(usual)
  })

  test.for(accepted)('takes %s=%s', ([name, value, changes]) => {
    expect(readConfig({ [name]: value })).toEqual({ ...usual, ...changes })
  })

  test('takes an empty string for unset, for every variable', () => {
    const names = new Set([...accepted, ...refused].map(([name]) => name))
    const empty = Object.fromEntries([...names].map((name) => [name, '']))
    expect(readConfig(empty)).toEqual(usual)
  })

  test.for(refused)('refuses %s=%s, and says what is allowed', ([name, value, allowed]) => {
    const problems = problemsOf({ [name]: value })
    expect(problems).toBe(`${name} is ${JSON.stringify(value)}. Allowed: ${allowed}.`)
  })

  test('tells every problem at once, a line each', () => {
    const last = new Map(refused.map(([name, value]) => [name, value]))
    const lines = problemsOf(Object.fromEntries(last)).split('\n')
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual([...last.keys()].sort())
  })
})
