import { join } from 'node:path'
import { repeatOnPostgres } from '../helpers/databases/repeat-on-postgres.ts'

repeatOnPostgres([join(import.meta.dirname, 'conformance.test.ts')])
