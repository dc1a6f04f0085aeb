import { afterAll } from 'vitest'
import { endFile } from './file-end.ts'

// Vitest runs this for each test file.
afterAll(endFile)
