/**
 * Makes the table that counts the positions of keys, which SQLite counts itself. It is no sequence:
 * whoever takes a number keeps the row until the commit, so a key with a lower position never comes
 * to light after one with a higher.
 */
export const addPositions: readonly string[] = [
  'CREATE TABLE positions (name TEXT PRIMARY KEY, last BIGINT NOT NULL)',
  "INSERT INTO positions VALUES ('api_keys', 0)",
]
