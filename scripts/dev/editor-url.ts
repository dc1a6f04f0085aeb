import { UsageError } from '../../server/process/options.ts'
import { projectPath } from '../pipeline/project.ts'

const defaultTemplate = 'vscode://file{file}:{line}:{column}'

/**
 * Returns the template of the links that open an editor, with the folder of this project in place. It is
 * `EDITOR_URL`, in which `{file}` stands for the absolute path of a file, `{line}` and `{column}` for the
 * location in it.
 */
export function readEditorUrl(variable: string | undefined): string {
  const template = variable === undefined || variable === '' ? defaultTemplate : variable
  const url = URL.parse(template.replaceAll('{file}', '/file').replaceAll(/\{\w+\}/g, '1'))
  // Such a link would run in the page.
  const isScript = url !== null && /^(?:javascript|data|vbscript|blob):$/.test(url.protocol)
  if (url === null || isScript || !template.includes('{file}')) {
    const allowed = `a URL with {file}, such as ${defaultTemplate}`
    throw new UsageError(`EDITOR_URL is ${JSON.stringify(variable)}. Allowed: ${allowed}`)
  }
  const segments = projectPath().replaceAll('\\', '/').split('/')
  const folder = segments
    .map(encodeURIComponent)
    .join('/')
    .replace(/^(?!\/)/, '/')
  return template.replaceAll('{file}', () => `${folder}/{file}`)
}
