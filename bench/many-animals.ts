/** Of how many animals one has the rare status. */
export const rarity = 40

/** SQL that adds as many animals as a series `s (n)` has numbers: one in forty is pending, the others are available or sold. */
export function insertAnimals(series: string): string {
  return `${series}
    INSERT INTO animals (name, category_id, status) SELECT 'an animal of ordinary length', n,
    CASE WHEN n % ${rarity} = 0 THEN 'pending' WHEN n % 2 = 0 THEN 'available' ELSE 'sold' END FROM s`
}

/** The numbers from 1, in SQLite. */
export function seriesInSqlite(count: number): string {
  return `WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count})`
}
