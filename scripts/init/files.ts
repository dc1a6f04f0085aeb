import type { OperationEntry } from '../pipeline/operation-entries.ts'
import { spellings } from './names.ts'

/** Prints a table of handlers in which every operation is sampled. */
export function printHandlers(operations: readonly OperationEntry[]): string {
  const rows = operations.map(
    ({ name, method, path }) => `    // ${method.toUpperCase()} ${path}\n    ${name}: sampled,`,
  )
  return `import type { HandlerOptions } from '../api.ts'
import { type Handlers, sampled } from '../contract/handler.ts'

/** Returns the handlers of all operations. Where one is \`sampled\`, responses are examples of the spec. */
export function createHandlers(_options: HandlerOptions): Handlers {
  return {
${rows.join('\n')}
  }
}
`
}

/** Prints the tables of an API that stores nothing yet. */
export function printSchema(): string {
  return `import type { Schema } from '../store/schema.ts'

/** The tables of this API: none yet. See docs/your-own-api.md. */
export const schema: Schema = { migrations: () => ({}), tables: [] }
`
}

/** Prints a test of every operation, with requests that are made from the description. */
export function printTest(): string {
  return `import { readServedApi } from '../../server/served-api.ts'
import { testConformance } from '../helpers/conformance/conformance.ts'

// It covers every operation of the description: a new one needs no new line here.
testConformance(readServedApi())
`
}

/** Prints the README of a project. */
export function printReadme(name: string, title: string): string {
  return `# ${title}

A service and its client, both made from one contract: [\`spec/openapi.yaml\`](spec/openapi.yaml).

\`\`\`sh
npm ci && npm start
\`\`\`

prints where it listens and a first API key. The reference is at <http://127.0.0.1:3000/docs>.

| command | what it does |
|---|---|
| \`npm run dev\` | serves the API while you edit it; every save is linted, compiled and compared with the last release |
| \`npm run generate\` | compiles the spec into \`generated/\` |
| \`npm run check\` | lint, types, freshness of \`generated/\`, version |
| \`npm test\` | the same, and the tests |
| \`npm run keys -- issue --plan pro\` | issues an API key |
| \`npm run build\` | builds the client, \`${name}-client\`, in \`client/dist\` |
| \`npm run release\` | checks, stamps the version, writes the changelog, commits and tags |

Handlers and tables are in \`server/${name}/\`. For those who

- write handlers: [your own API](docs/your-own-api.md), [architecture](docs/architecture.md), [contributing](CONTRIBUTING.md)
- edit the spec: [designing the API](docs/api-design.md)
- call the API: [the client](client/README.md)
- run the service: [configuration](docs/configuration.md), [operations](docs/operations.md), [deployment](docs/deployment.md), [performance](docs/performance.md), [security](SECURITY.md)
`
}

/** Prints the README of the client's package. */
export function printClientReadme(
  name: string,
  title: string,
  operations: readonly OperationEntry[],
  basePath: string,
): string {
  const [, , pascal] = spellings(name, title)
  const rows = operations.map(({ name: operationId, method, path, operation }) => {
    const { summary = '' } = operation
    return `| \`${operationId}\` | \`${method.toUpperCase()} ${path}\` | ${summary} |`
  })
  return `# ${name}-client

A typed client for ${title}, on Node.js, in browsers and at the edge, with retries, pages and errors that have codes. Its one dependency is [openapi-fetch](https://openapi-ts.dev/openapi-fetch/).

\`\`\`sh
npm install ${name}-client
\`\`\`

\`\`\`ts
import { create${pascal} } from '${name}-client'

const client = create${pascal}({
  baseUrl: 'http://127.0.0.1:3000${basePath}',
  apiKey: process.env['KEY'] ?? '',
})
\`\`\`

| method | request | what it does |
|---|---|---|
${rows.join('\n')}

The parameters of a method are in this order: path parameters, body, query, options. Its options, the error \`${pascal}Error\`, pages, \`.withResponse()\`, \`client.raw\` and the mocks of \`${name}-client/testing\` are described in the types, which editors show.
`
}
