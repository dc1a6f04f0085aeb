import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns the Markdown pages of a project, as paths in its folder. */
export function listPages(folder: string): string[] {
  return globSync('{*.md,{docs,client,test,.github}/**/*.md}', {
    cwd: folder,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
}

/** Files that are written when they are needed. */
const optional = [
  ...['spec/stored-values.yaml', 'spec/accepted-changes.yaml', 'spec/released.yaml'],
  ...['spec/workflows.arazzo.yaml', 'spec/service.yaml', 'test/api/kept-store'],
  ...['test/api/workflows/inputs.ts', 'deploy/.env', 'deploy/values/balancer.env'],
  ...['deploy/values/uploads.yaml', 'deploy/values/kubernetes/network-policy.yaml'],
]

/** Returns each npm script, link, anchor and file that a page names and that does not exist. */
export function findBrokenReferences(folder: string): string[] {
  const { scripts }: { readonly scripts: object } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  // A changelog is history: what it names may be gone.
  const pages = listPages(folder).filter((page) => page !== 'CHANGELOG.md')
  return pages.flatMap((page) => {
    const text = readFileSync(join(folder, page), 'utf8')
    const matches = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
    const isThere = (path: string) => optional.includes(path) || existsSync(join(folder, path))
    // The files of a guide are there when it was followed, which is a test of its own.
    const isGuide = text.includes(', new\n')
    const broken = [
      ...matches(/\bnpm run (?:-s )?([a-z][a-z:-]*)/g).filter((script) => !(script in scripts)),
      ...matches(/\]\((?!https?:|mailto:)([^)\s]*)\)/g).filter((target) => {
        const [path = '', anchor] = target.split('#')
        const file = path === '' ? page : join(dirname(page), path)
        if (!isThere(file)) {
          return true
        }
        return anchor !== undefined && !listAnchors(join(folder, file)).includes(anchor)
      }),
      ...listPathsInCode(text).filter((path) => !isGuide && !isThere(path)),
    ]
    return broken.map((name) => `${page}: ${name}`)
  })
}

/** Returns the paths of the project that the code of a page has, also as words of a command. */
function listPathsInCode(text: string): string[] {
  const blocks = text.matchAll(/^```sh\n(.*?)^```$/gms)
  const spans = text.matchAll(/`([^`\n]+)`/g)
  const code = [...blocks, ...spans].map(([, each = '']) => each)
  const words = code.flatMap((each) => each.split(/\s+/))
  return words.filter((word) =>
    /^(?:docs|scripts|server|spec|test|deploy|\.github)\/[\w./-]+$/.test(word),
  )
}

/** Returns the anchors that GitHub gives the headings of a page. */
function listAnchors(file: string): string[] {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}
