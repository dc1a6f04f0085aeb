import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../description/json.ts'
import { ContractError } from './contract-error.ts'

const advice = 'Run: npm run generate'

/**
 * Reads a bundled description whose SHA-256 digest stands beside it, in `<file>.sha256`; throws a
 * `ContractError` when either is missing, or when they do not belong together.
 */
export function readDocument(file: URL): JsonObject {
  const text = read(file)
  const digest = hash('sha256', text)
  const digestFile = read(new URL(`${file}.sha256`))
  if (!digestFile.startsWith(`${digest} `)) {
    const message = `${fileURLToPath(file)} is not what was generated with the rest.`
    throw new ContractError(`${message} ${advice}`)
  }
  return JSON.parse(text)
}

function read(file: URL): string {
  if (existsSync(file)) {
    return readFileSync(file, 'utf8')
  }
  throw new ContractError(`There is no ${fileURLToPath(file)}. ${advice}`)
}
