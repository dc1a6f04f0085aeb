// Loaded before the service by `npm start`. It runs on old versions of Node.js too, which have neither
// the compile cache nor TypeScript.
import { readFileSync } from 'node:fs'
import module from 'node:module'

requireNode()

// The service starts faster with what V8 compiled the last time. The variable has Node.js do it, or, if
// it is empty, not do it.
if (process.env['NODE_COMPILE_CACHE'] === undefined) {
  module.enableCompileCache('node_modules/.cache/compiled')
}

/** Ends the process if this version of Node.js cannot run the service. */
function requireNode() {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  /** @type {{ engines: { node: string } }} */
  const { engines } = JSON.parse(manifest)
  const [required] = engines.node.match(/\d+/) ?? []
  const current = Number.parseInt(process.versions.node, 10)
  if (current >= Number(required)) {
    return
  }
  console.error(
    `The service needs Node.js ${required}; this is ${process.version}. \`npm ci\` installs that version for the npm scripts, but not with --omit=dev or --ignore-scripts: install Node.js ${required} itself.`,
  )
  process.exit(1)
}
