import { ruleAreas } from './index.ts'
import type { Rule } from './rule.ts'
import { schemaRules } from './schemas.ts'

if (import.meta.main) {
  console.log(printRulesPage())
}

/** Returns the tables of all rules, for `docs/contract-changes.md`. */
export function printRulesPage(): string {
  const areas = Object.entries(ruleAreas).map(([name, rules]) => {
    const rows = Object.entries<Rule<never>>(rules).map(([id, { title, bump, consequence }]) => {
      return `| \`${id}\` | ${title} | ${bump} | ${consequence} |`
    })
    const table = ['| ID | what has changed | bump | for consumers |', '|---|---|---|---|', ...rows]
    return `### ${name}\n\n${table.join('\n')}`
  })
  return [...areas, printSchemaRules()].join('\n\n')
}

function printSchemaRules(): string {
  const rows = Object.entries(schemaRules).map(([stem, { title, verdicts }]) => {
    const bumps = [verdicts.request, verdicts.response, verdicts.error].map(([bump]) => bump)
    return `| \`…-${stem}\` | ${title} | ${bumps.join(' | ')} |`
  })
  const head = [
    '| ID ends in | what has changed | requests | responses | errors |',
    '|---|---|---|---|---|',
  ]
  const first = [
    'An ID begins with what the schema is of: `request-parameter-`, `request-body-` or `request-property-`;',
    '`response-header-`, `response-body-` or `response-property-`; `error-header-`, `error-body-` or `error-property-`.',
    'Items of lists and what is inside of them count as properties.',
  ]
  return `### Schemas\n\n${first.join(' ')}\n\n${[...head, ...rows].join('\n')}`
}
