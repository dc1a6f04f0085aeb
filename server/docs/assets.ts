import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'

/** A file that the page loads. */
export interface Asset {
  readonly name: string
  readonly mediaType: string
  readonly text: string
}

/** The files that the page loads, and a digest that changes when one of them does. */
export interface Assets {
  readonly files: readonly Asset[]
  readonly digest: string
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Reads the files of a folder that a page may load; nothing else of it is ever served. */
export function readAssets(folder: URL): Assets {
  const digest = createHash('sha256')
  const files = readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const mediaType = mediaTypes[extname(name)]
      if (mediaType === undefined) return []
      const text = readFileSync(new URL(name, folder), 'utf8')
      digest.update(`${name}\n${text}\n`)
      return [{ name, mediaType, text }]
    })
  return { files, digest: digest.digest('hex').slice(0, 16) }
}
