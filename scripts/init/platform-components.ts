import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Description } from '../../server/description/description.ts'
import { readDescription } from '../../server/description/description-reader.ts'
import { openDocuments } from '../../server/description/documents.ts'
import { type JsonObject, toObject } from '../../server/description/json.ts'
import { projectPath, projectSpec } from '../pipeline/project.ts'

const platformFile = projectPath('spec/platform.yaml')
const platform = toObject(parse(readFileSync(platformFile, 'utf8')))

/** The components of the platform, by section; those of a description replace them by their name. */
export const platformComponents = toObject(platform['components'])

/** Reads a description of the project, which refers to the platform's file beside it. */
export function readWithPlatform(description: JsonObject): Description {
  const documents = new Map([
    [projectSpec, description],
    [platformFile, platform],
  ])
  return readDescription(openDocuments(projectSpec, documents))
}
