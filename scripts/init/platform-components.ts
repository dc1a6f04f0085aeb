import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { toObject } from '../../server/description/json.ts'
import { projectPath } from '../pipeline/project.ts'

const platform = toObject(parse(readFileSync(projectPath('spec/platform.yaml'), 'utf8')))

/** The components of the platform, by section; those of a description replace them by their name. */
export const platformComponents = toObject(platform['components'])
