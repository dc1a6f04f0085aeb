import { STATUS_CODES } from 'node:http'
import { pointAt, pointerKeys } from '../pipeline/description.ts'
import { type Conversion, type Draft, ensure, type Report, toDraft } from './draft.ts'

/** Replaces every reference below a node, those that a discriminator maps included. */
function mapReferences(node: unknown, map: (reference: string) => string): void {
  if (Array.isArray(node)) for (const item of node) mapReferences(item, map)
  const object = toDraft(node)
  for (const [key, child] of Object.entries(object)) {
    if (typeof child !== 'string') mapReferences(child, map)
    else if (key === '$ref') object[key] = map(child)
    else if (child.startsWith('#/components/schemas/')) object[key] = map(child)
  }
}

// The platform names a response by its status.
const statusNames = Object.fromEntries(
  Object.values(STATUS_CODES).map((text = '') => [text.replaceAll(/\W/g, ''), true]),
)

const component = /^#\/components\/([^/]+)\/([^/]+)$/

/** Gives a name to each part that is referred to by its place: that place may be changed or removed. */
export function nameReferredParts(root: Draft, report: Report): void {
  const names = new Map<string, string>()
  const components = ensure(root, 'components')
  mapReferences(root, (reference) => {
    if (component.test(reference) || !reference.startsWith('#/')) return reference
    const known = names.get(reference)
    const target = pointAt(root, reference)
    if (known !== undefined || target === undefined) return known ?? reference
    const keys = pointerKeys(reference)
    const section = sectionOf(keys)
    const all = ensure(components, section)
    const last = keys.findLast((key) => /^[A-Za-z]\w*$/.test(key)) ?? 'part'
    const name = freeName(last[0]?.toUpperCase() + last.slice(1), all)
    // A copy of its own: it may contain what refers to it.
    all[name] = structuredClone(target)
    names.set(reference, `#/components/${section}/${name}`)
    report(reference, `named #/components/${section}/${name}, for what refers to it by its place`)
    return `#/components/${section}/${name}`
  })
  // The copies were made while references were replaced.
  mapReferences(components, (reference) => names.get(reference) ?? reference)
}

function sectionOf(keys: readonly string[]): string {
  if (keys.includes('schema') || keys[1] === 'schemas') return 'schemas'
  const kinds = ['parameters', 'responses', 'headers', 'examples', 'requestBody'] as const
  const kind = kinds.findLast((name) => keys.at(-2) === name || keys.at(-1) === name)
  return kind === 'requestBody' ? 'requestBodies' : (kind ?? 'pathItems')
}

/** Renames components that have the name of one of the platform. */
export function renameClashing({ root, report }: Conversion, own: Draft): void {
  const components = toDraft(root['components'])
  const renamed = new Map<string, string>()
  for (const [section, named] of Object.entries(own)) {
    const all = toDraft(components[section])
    const taken = { ...toDraft(named), ...(section === 'responses' && statusNames) }
    for (const name of Object.keys(taken).filter((each) => each in all)) {
      const free = freeName(`Api${name}`, { ...all, ...taken })
      all[free] = all[name]
      delete all[name]
      const [from, to] = [`#/components/${section}/${name}`, `#/components/${section}/${free}`]
      renamed.set(from, to)
      report(from, `renamed to ${to}: the platform has one of that name`)
    }
  }
  mapReferences(root, (reference) => renamed.get(reference) ?? reference)
}

export function freeName(wanted: string, taken: Draft): string {
  let name = wanted
  for (let count = 2; name in taken; count++) name = `${wanted}${count}`
  return name
}

/** Removes components that nothing refers to, except those to keep, and returns them. */
export function removeUnused(root: Draft, kept: Draft): string[] {
  const { components, ...rest } = root
  const used = new Set<string>()
  const visit = (reference: string): string => {
    if (component.test(reference) && !used.has(reference)) {
      used.add(reference)
      mapReferences(pointAt(root, reference), visit)
    }
    return reference
  }
  mapReferences(rest, visit)
  const removed: string[] = []
  for (const [section, named] of Object.entries(toDraft(components))) {
    // Security schemes are referred to by name.
    if (section === 'securitySchemes') continue
    const all = toDraft(named)
    for (const name of Object.keys(all)) {
      if (name in toDraft(kept[section]) || used.has(`#/components/${section}/${name}`)) continue
      removed.push(`#/components/${section}/${name}`)
      delete all[name]
    }
    if (Object.keys(all).length === 0) delete toDraft(components)[section]
  }
  return removed
}
