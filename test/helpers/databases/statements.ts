import { DatabaseSync } from 'node:sqlite'

/** A statement that is about to be prepared or executed, and on which connection. */
export type WatchStatement = (sql: string, connection: DatabaseSync) => void

/** Shows every statement that is given to SQLite while some work is done. */
export async function watchStatements<Result>(
  watch: WatchStatement,
  work: () => Promise<Result>,
): Promise<Result> {
  const { prepare, exec } = DatabaseSync.prototype
  DatabaseSync.prototype.prepare = function (sql, ...options) {
    watch(sql, this)
    return prepare.call(this, sql, ...options)
  }
  DatabaseSync.prototype.exec = function (sql) {
    watch(sql, this)
    exec.call(this, sql)
  }
  try {
    return await work()
  } finally {
    Object.assign(DatabaseSync.prototype, { prepare, exec })
  }
}
