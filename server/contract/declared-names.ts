import { isObject, toObject } from '../description/json.ts'

/** Returns the names of all properties and parameters in a description, whatever their schema. */
export function declaredNames(document: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  addNames(document, names)
  return names
}

function addNames(node: unknown, names: Set<string>): void {
  if (Array.isArray(node)) {
    for (const item of node) {
      addNames(item, names)
    }
  }
  if (!isObject(node)) {
    return
  }

  if (typeof node['in'] === 'string') {
    names.add(String(node['name']))
  }
  for (const name of Object.keys(toObject(node['properties']))) {
    names.add(name)
  }
  for (const child of Object.values(node)) {
    addNames(child, names)
  }
}
