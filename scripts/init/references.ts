import { STATUS_CODES } from 'node:http'
import { valueAt } from '../../server/description/pointer.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { type Conversion, type Draft, toDraft } from './draft.ts'
import { platformComponents } from './platform-components.ts'

/** Replaces every reference below a node, including those in the mapping of a discriminator. */
function mapReferences(node: unknown, map: (reference: string) => string): void {
  if (Array.isArray(node)) {
    for (const item of node) {
      mapReferences(item, map)
    }
  }
  const object = toDraft(node)
  for (const [key, child] of Object.entries(object)) {
    if (typeof child !== 'string') {
      mapReferences(child, map)
    } else if (key === '$ref') {
      object[key] = map(child)
    } else if (child.startsWith('#/components/schemas/')) {
      object[key] = map(child)
    }
  }
}

const statusNames = Object.values(STATUS_CODES).map((text = '') => text.replaceAll(/\W/g, ''))

/** The names that the platform takes for responses and schemas of errors, by their status. */
const namesByStatus: Readonly<Record<string, readonly string[]>> = {
  responses: statusNames,
  schemas: statusNames.map((name) => `${name}Error`),
}

/** The component at the start of a reference, which may lead to a part of it. */
const component = /^#\/components\/[^/]+\/[^/]+/

/** Throws if references lead to anything outside of components: it may be changed or removed. */
export function rejectOtherReferences(root: Draft): void {
  const targets = new Set<string>()
  mapReferences(root, (reference) => {
    const isOther = !component.test(reference) && valueAt(root, reference) !== undefined
    if (isOther) {
      targets.add(reference)
    }
    return reference
  })
  if (targets.size === 0) {
    return
  }
  throw new DescriptionError([
    'nothing was changed; move what is referred to into components, and run init again:',
    ...targets,
  ])
}

/** Renames components that have the name of one of the platform. */
export function renameClashing({ root, report }: Conversion): void {
  const components = toDraft(root['components'])
  const renamed = new Map<string, string>()
  for (const [section, named] of Object.entries(platformComponents)) {
    const all = toDraft(components[section])
    const ofStatuses = (namesByStatus[section] ?? []).map((name) => [name, true])
    const taken = { ...toDraft(named), ...Object.fromEntries(ofStatuses) }
    for (const name of Object.keys(taken).filter((each) => each in all)) {
      const free = freeName(`Api${name}`, { ...all, ...taken })
      all[free] = all[name]
      delete all[name]
      const from = `#/components/${section}/${name}`
      const to = `#/components/${section}/${free}`
      renamed.set(from, to)
      report(from, `renamed to ${to}: the platform has one of that name`)
    }
  }
  mapReferences(root, (reference) =>
    reference.replace(component, (name) => renamed.get(name) ?? name),
  )
}

function freeName(wanted: string, taken: Draft): string {
  let name = wanted
  for (let count = 2; name in taken; count++) {
    name = `${wanted}${count}`
  }
  return name
}

/** Removes components to which neither the description nor the platform refers, and returns them. */
export function removeUnused(root: Draft): string[] {
  const { components, ...rest } = root
  const used = new Set<string>()
  const visit = (reference: string): string => {
    const [name] = component.exec(reference) ?? []
    if (name !== undefined && !used.has(name)) {
      used.add(name)
      mapReferences(valueAt(root, name), visit)
    }
    return reference
  }
  mapReferences(rest, visit)
  const removed: string[] = []
  for (const [section, named] of Object.entries(toDraft(components))) {
    // Security schemes are referred to by name.
    if (section === 'securitySchemes') {
      continue
    }
    const all = toDraft(named)
    for (const name of Object.keys(all)) {
      const isOfPlatform = name in toDraft(platformComponents[section])
      if (isOfPlatform || used.has(`#/components/${section}/${name}`)) {
        continue
      }
      removed.push(`#/components/${section}/${name}`)
      delete all[name]
    }
    if (Object.keys(all).length === 0) {
      delete toDraft(components)[section]
    }
  }
  return removed
}
