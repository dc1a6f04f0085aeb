// Ends with status 0 where the PostgreSQL server that TEST_POSTGRES_URL names answers, else with 1.
import { Client } from 'pg'

const client = new Client({
  connectionString: process.env['TEST_POSTGRES_URL'],
  connectionTimeoutMillis: 5_000,
})
try {
  await client.connect()
  await client.end()
} catch {
  process.exitCode = 1
}
