import type { Description } from '../../contract/description.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Subject } from '../assets/subject.js'
import { createOpen, entriesOf, listOf, type Open, textOf } from '../described.ts'
import { type DescribedOperation, describeOperation } from '../described-operation.ts'
import { sharedParts, showPart } from './components.ts'
import { contents, type Group } from './contents.ts'
import { type Content, type Html, html } from './html.ts'
import { introduction } from './introduction.ts'
import { markdown } from './markdown.ts'
import { operationSection } from './operation-section.ts'

/** What the reference is made from. */
export interface Reference {
  readonly description: Description
  readonly operations: Readonly<Record<string, Operation>>
  readonly basePath: string
  /** The client that the samples are written with. */
  readonly client: Subject['client']
}

/** Where the page finds what it needs, relative to itself. */
export interface AssetPaths {
  readonly styles: readonly string[]
  readonly icon: string
  /** The module that the page begins with. */
  readonly entry: string
  readonly modules: readonly string[]
}

/** The reference of a description, as a page. */
export function referenceDocument(reference: Reference, assets: AssetPaths): string {
  const { description, basePath, client } = reference
  const open = createOpen(description)
  const { node: info } = open(description['info'])
  const groups = groupsOf(reference, open)
  const baseUrl = baseUrlOf(open, description) ?? basePath
  const parts = sharedParts(open, description['components'])
  const title = textOf(info['title']) ?? 'API'
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} reference</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
${assets.styles.map((path) => html`<link rel="stylesheet" href="${path}">`)}
${assets.modules.map((path) => html`<link rel="modulepreload" href="${path}">`)}
<script type="module" src="${assets.entry}"></script>
</head>
<body data-base-path="${basePath}">
<a class="skip" href="#main">Skip to the reference</a>
${topBar(title, textOf(info['version']), groups)}
<div class="page">
${contents(groups, parts)}
<main id="main">
${introduction(open, description)}
${groups.map((group) => showGroup(open, group, client, baseUrl))}
${parts.map(showPart)}
</main>
</div>
</body>
</html>
`.markup
}

function topBar(title: string, version: string | undefined, groups: readonly Group[]): Html {
  const needsKey = groups.some(({ operations }) => operations.some((one) => one.credential))
  return html`<header class="top">
<h1>${title} <span class="version">${version}</span></h1>
${needsKey && keyForm()}
</header>`
}

function keyForm(): Content {
  return html`<form class="key" data-key hidden>
<label for="api-key">API key</label>
<input id="api-key" type="password" autocomplete="off" spellcheck="false" aria-describedby="api-key-note">
<button type="button" data-forget>Forget</button>
<span class="muted" id="api-key-note">Kept for this tab only</span>
</form>`
}

function showGroup(open: Open, group: Group, client: Subject['client'], baseUrl: string): Html {
  const id = `tag-${group.name.replaceAll(/\W+/g, '-')}`
  return html`<section class="group" aria-labelledby="${id}">
<h2 id="${id}">${group.name}</h2>
${markdown(group.description)}
${group.operations.map((operation) => operationSection(open, operation, client, baseUrl))}
</section>`
}

// An operation is shown once, under its first tag; the tags are in the order of the description.
function groupsOf({ description, operations }: Reference, open: Open): Group[] {
  const described = Object.values(operations).map((row) =>
    describeOperation(description, open, row),
  )
  const listed = listOf(description['tags']).map((tag) => open(tag).node)
  const byTag = new Map<string, DescribedOperation[]>(
    listed.map(({ name }) => [textOf(name) ?? '', []]),
  )
  for (const operation of described) {
    const [tag = 'Operations'] = operation.tags
    byTag.set(tag, [...(byTag.get(tag) ?? []), operation])
  }
  return [...byTag].flatMap(([name, members]) => {
    const tag = listed.find((one) => one['name'] === name)
    const group = { name, description: textOf(tag?.['description']), operations: members }
    return members.length === 0 ? [] : [group]
  })
}

/** The first server that has a host, with the defaults of its variables. */
function baseUrlOf(open: Open, description: Description): string | undefined {
  for (const server of listOf(description['servers'])) {
    const { node } = open(server)
    const usual = new Map(
      entriesOf(node['variables']).map(([name, value]) => [
        name,
        textOf(open(value).node['default']),
      ]),
    )
    const url = textOf(node['url'])?.replaceAll(
      /\{([^{}]+)\}/g,
      (all, name) => usual.get(name) ?? all,
    )
    if (url !== undefined && /^https?:/.test(url)) return url
  }
  return undefined
}
