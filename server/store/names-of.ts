/** The names of a table's entries, which TypeScript itself would forget. */
export function namesOf<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table).filter((name): name is keyof Table & string => name in table)
}
