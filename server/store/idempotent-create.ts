import { setTimeout as wait } from 'node:timers/promises'
import type { ColumnType, Engine, Query, Value } from './engine.ts'
import { KeyInUse } from './errors.ts'
import { keyTable } from './migrations.ts'

/** A table of rows that clients create. */
export interface CreatedTable {
  readonly name: string
  /** The columns that a create sets; the database sets the `id`. */
  readonly columns: Readonly<Record<string, ColumnType>>
}

/** An idempotency key: all requests with it create one row. */
export interface IdempotencyKey {
  /** The owner of the key: the same `key` of two callers is two keys. */
  readonly callerId: string
  readonly key: string
  /** Equal for equal requests. */
  readonly fingerprint: string
  /** When the key expires, in milliseconds since 1970. */
  readonly expiresAt: number
}

export type Created =
  | { readonly kind: 'added' | 'repeated'; readonly id: number }
  /** The key was used for another request. */
  | { readonly kind: 'reused' }
  /** The first create with the key is not finished. */
  | { readonly kind: 'in-progress' }

/** What an idempotency key needs of the context of a call. */
interface CreateContext {
  readonly callerId: string | undefined
  readonly fingerprint: (body: unknown) => string
}

/** Reads the `Idempotency-Key` header of a request; undefined without one. */
export function readIdempotencyKey(
  field: string | undefined,
  { callerId, fingerprint }: CreateContext,
  body: unknown,
  hours: number,
): IdempotencyKey | undefined {
  if (field === undefined || callerId === undefined) {
    return undefined
  }
  return {
    callerId,
    key: unquote(field),
    fingerprint: fingerprint(body),
    expiresAt: Date.now() + hours * 3_600_000,
  }
}

/** Returns the key without the quotes of the draft (RFC 9651, section 3.3.3). */
function unquote(field: string): string {
  if (!field.startsWith('"')) {
    return field
  }
  return field.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')
}

/** Returns the headers of the response to a create whose row was added, now or by an earlier request. */
export function replayHeaders(kind: 'added' | 'repeated') {
  return kind === 'added' ? {} : ({ 'Idempotent-Replayed': true } as const)
}

/** The function `respondError` of an operation that declares the errors of an idempotency key. */
interface RespondKeyError<Response> {
  (status: 422, code: 'idempotency_key_reused', message: string): Response
  (
    status: 409,
    code: 'idempotency_in_progress',
    message: string,
    options: { readonly headers: { readonly 'Retry-After': number } },
  ): Response
}

/** Returns the error response to a create whose idempotency key is in use. */
export function rejectKey<Response>(
  kind: 'reused' | 'in-progress',
  respondError: RespondKeyError<Response>,
): Response {
  if (kind === 'reused') {
    const message = 'This Idempotency-Key was used for another request.'
    return respondError(422, 'idempotency_key_reused', message)
  }

  const message = 'The first request with this Idempotency-Key is still running.'
  return respondError(409, 'idempotency_in_progress', message, { headers: { 'Retry-After': 1 } })
}

/** Returns the statements that add a row and its key; the first returns no row if the key was used. */
type InsertOnce = (
  values: readonly Value[],
  idempotencyKey: IdempotencyKey,
  now: number,
) => [Query, ...Query[]]

function insertOnceInSqlite({ name, columns }: CreatedTable): InsertOnce {
  const names = Object.keys(columns)
  const values = names.map((_, index) => `$${index + 1}`)
  const [callerId, key, now] = [1, 2, 3].map((number) => `$${names.length + number}`)
  const insert = `INSERT INTO ${name} (${names.join(', ')})
    SELECT ${values.join(', ')} WHERE NOT EXISTS (
      SELECT 1 FROM ${keyTable}
      WHERE caller_id = ${callerId} AND key = ${key} AND expires_at > ${now}
    ) RETURNING id`
  // The key may still be there although it has expired.
  const replace = `REPLACE INTO ${keyTable} (caller_id, key, fingerprint, expires_at, row_id)
    VALUES ($1, $2, $3, $4, last_insert_rowid())`
  return (values, { callerId, key, fingerprint, expiresAt }, now) => [
    [insert, ...values, callerId, key, now],
    [replace, callerId, key, fingerprint, expiresAt],
  ]
}

// One statement stores the key and adds the row: both or neither, in one round trip. It takes no id from the
// sequence if the key was used, so that repetitions leave no gaps. The key may still be there although it
// has expired.
function insertOnceInPostgres({ name, columns }: CreatedTable): InsertOnce {
  // The five parameters before them are those of the key.
  const values = Object.values(columns).map((type, index) => `$${index + 6}::${type}`)
  const insert = `WITH claim AS (
      INSERT INTO ${keyTable} (caller_id, key, fingerprint, expires_at, row_id)
      SELECT $1::text, $2::text, $3::text, $4::bigint,
        nextval(pg_get_serial_sequence('${name}', 'id'))
      WHERE NOT EXISTS (
        SELECT 1 FROM ${keyTable}
        WHERE caller_id = $1 AND key = $2 AND expires_at > $5::bigint
      )
      ON CONFLICT (caller_id, key) DO UPDATE SET
        fingerprint = excluded.fingerprint,
        expires_at = excluded.expires_at,
        row_id = excluded.row_id
      WHERE ${keyTable}.expires_at <= $5
      RETURNING row_id
    )
    INSERT INTO ${name} (id, ${Object.keys(columns).join(', ')})
    SELECT row_id, ${values.join(', ')} FROM claim
    RETURNING id`
  return (values, { callerId, key, fingerprint, expiresAt }, now) => [
    [insert, callerId, key, fingerprint, expiresAt, now, ...values],
  ]
}

const insertOnce = { sqlite: insertOnceInSqlite, postgresql: insertOnceInPostgres }
const skipLocked = { sqlite: '', postgresql: 'FOR UPDATE SKIP LOCKED' }

/** Expired idempotency keys that one statement deletes at most. */
const maxDeleted = 1_000

/** Milliseconds between two deletions, at least. */
const deletionPause = 100

/** Milliseconds that a repeated create waits for the first one with its key. */
const repetitionTimeout = 250

/** An idempotency key as it was stored, with the id of its row. */
interface StoredKey {
  readonly fingerprint: string
  readonly id: number
}

/** Adds rows to a table, once for each idempotency key. */
export class IdempotentCreates {
  readonly #engine: Engine
  readonly #insert: string
  readonly #insertOnce: InsertOnce
  readonly #findKey: string
  readonly #deleteExpired: string
  /** Whether expired keys are being deleted. */
  #isDeleting = false
  /** When the last deletion of expired keys ended. */
  #deletionEndedAt = Number.NEGATIVE_INFINITY
  /** The ends of running creates in this process, of each idempotency key the last one. */
  readonly #runningCreates = new Map<string, Promise<true>>()

  constructor(engine: Engine, table: CreatedTable) {
    const { name, columns } = table
    const names = Object.keys(columns)
    const values = names.map((_, index) => `$${index + 1}`)
    this.#engine = engine
    this.#insert = `INSERT INTO ${name} (${names.join(', ')}) VALUES (${values.join(', ')}) RETURNING id`
    this.#insertOnce = insertOnce[engine.dialect.engine](table)
    this.#findKey = `SELECT fingerprint, row_id AS id FROM ${keyTable}
      WHERE caller_id = $1 AND key = $2 AND expires_at > $3`
    this.#deleteExpired = `DELETE FROM ${keyTable} WHERE (caller_id, key) IN (
      SELECT caller_id, key FROM ${keyTable} WHERE expires_at <= $1
      ORDER BY expires_at LIMIT $2 ${skipLocked[engine.dialect.engine]})`
  }

  /** Adds a row with the values of the columns; when it resolves, the row survives a crash. */
  async add(
    values: readonly Value[],
    idempotencyKey: IdempotencyKey | undefined,
  ): Promise<Created> {
    if (idempotencyKey !== undefined) {
      return this.#addOnce(values, idempotencyKey)
    }

    const [row] = await this.#engine.write<{ id: number }>([this.#insert, ...values])
    if (row === undefined) {
      throw new Error('The insert returned no id.')
    }
    return { kind: 'added', id: row.id }
  }

  async #addOnce(values: readonly Value[], idempotencyKey: IdempotencyKey): Promise<Created> {
    const runningCreates = this.#runningCreates
    const name = `${idempotencyKey.callerId} ${idempotencyKey.key}`
    const earlierEnd = runningCreates.get(name)
    if (earlierEnd !== undefined) {
      const timeout = wait(repetitionTimeout, false, { ref: false })
      const hasEnded = await Promise.race([earlierEnd, timeout])
      if (!hasEnded) {
        return { kind: 'in-progress' }
      }
    }

    // Creates that waited continue together: the database adds the row once in any case.
    const creation = this.#tryToAdd(values, idempotencyKey)
    const end = creation.then(toTrue, toTrue)
    runningCreates.set(name, end)
    void end.then(() => {
      // A later create may have taken the place.
      if (runningCreates.get(name) === end) {
        runningCreates.delete(name)
      }
    })
    return creation
  }

  async #tryToAdd(values: readonly Value[], idempotencyKey: IdempotencyKey): Promise<Created> {
    const { read, write } = this.#engine
    const now = Date.now()
    try {
      const [added] = await write<{ id: number }>(...this.#insertOnce(values, idempotencyKey, now))
      if (added !== undefined) {
        this.#deleteExpiredKeys(now)
        return { kind: 'added', id: added.id }
      }
    } catch (error) {
      if (error instanceof KeyInUse) {
        return { kind: 'in-progress' }
      }
      throw error
    }

    const { callerId, key, fingerprint } = idempotencyKey
    const [storedKey] = await read<StoredKey>(this.#findKey, callerId, key, now)
    // The key has expired and was deleted in between.
    if (storedKey === undefined) {
      return this.#tryToAdd(values, idempotencyKey)
    }
    if (storedKey.fingerprint !== fingerprint) {
      return { kind: 'reused' }
    }
    return { kind: 'repeated', id: storedKey.id }
  }

  // No request waits for the deletion, and a later one deletes the keys that this one does not.
  #deleteExpiredKeys(now: number): void {
    const isPaused = performance.now() < this.#deletionEndedAt + deletionPause
    if (this.#isDeleting || isPaused) {
      return
    }

    this.#isDeleting = true
    this.#engine
      .write([this.#deleteExpired, now, maxDeleted])
      .catch(() => undefined)
      .finally(() => {
        this.#isDeleting = false
        this.#deletionEndedAt = performance.now()
      })
  }
}

function toTrue(): true {
  return true
}
