/** How many warnings are printed as they are, unless all are asked for. */
export const mostWarnings = 10

/**
 * Returns the lines that are printed for the warnings of a description: each of them, or, so that they
 * hide no error, how many there are of each rule, and how to print them.
 */
export function summarizeWarnings(
  warnings: readonly string[],
  most = mostWarnings,
): readonly string[] {
  if (warnings.length <= most) {
    return warnings.map((warning) => `${warning} (warning)`)
  }
  const byRule = Map.groupBy(warnings, ruleOf)
  const counts = Array.from(byRule, ([rule, { length }]) => ({ rule, count: length }))
  const sorted = counts.toSorted((one, other) => other.count - one.count)
  return [
    `${warnings.length} warnings; to print them: npm run generate -- --warnings`,
    ...sorted.map(({ rule, count }) => `  ${count} ${rule}`),
  ]
}

/** Returns the rule of a warning: `file:line:column rule message`. */
function ruleOf(warning: string): string {
  const [, rule = 'other'] = /^\S+:\d+:\d+ (\S+) /.exec(warning) ?? []
  return rule
}
