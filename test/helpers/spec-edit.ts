import {
  Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
} from 'yaml'

/** A change to a description; paths are its keys with spaces between. */
export type Edit = (description: Document) => void

export function set(path: string, value: unknown): Edit {
  return (description) => description.setIn(path.split(' '), value)
}

export function remove(path: string): Edit {
  return (description) => {
    if (!description.deleteIn(path.split(' '))) {
      throw new Error(`there is no ${path} any more`)
    }
  }
}

export function rename(path: string, key: string): Edit {
  return (description) => {
    findPair(description, path).key = description.createNode(key)
  }
}

/** Adds an entry to a list. */
export function append(path: string, value: unknown): Edit {
  return (description) => description.addIn(path.split(' '), value)
}

/** Removes an entry from a list. */
export function drop(path: string, value: string): Edit {
  return (description) => {
    const list = description.getIn(path.split(' '))
    const index = isSeq(list) ? list.items.findIndex((item) => String(item) === value) : -1
    remove(`${path} ${index}`)(description)
  }
}

/** Makes several edits, one after the other. */
export function together(...edits: readonly Edit[]): Edit {
  return (description) => {
    for (const edit of edits) {
      edit(description)
    }
  }
}

/** Returns the text of a description after some edits. */
export function editText(text: string, ...edits: readonly Edit[]): string {
  const description = parseDocument(text)
  together(...edits)(description)
  return description.toString({ lineWidth: 0 })
}

/** Moves a shared parameter to the one operation that refers to it. */
export function inlineParameter(parameter: string, path: string): Edit {
  return (description) => {
    const shared = `components parameters ${parameter}`
    set(path, description.getIn(shared.split(' ')))(description)
    remove(shared)(description)
  }
}

/** Moves a shared schema to a file of its own; returns the text of that file through `write`. */
export function moveSchema(schema: string, file: string, write: (text: string) => void): Edit {
  return (description) => {
    const shared = `components schemas ${schema}`
    const moved = new Document(description.getIn(shared.split(' ')))
    const text = moved.toString({ lineWidth: 0 })
    // The references to other schemas come from another file now.
    write(text.replaceAll('"#/', '"../openapi.yaml#/'))
    set(shared, { $ref: file })(description)
  }
}

/** Changes the highest `limit` of a page by some number. */
export function changeLimit(by: number): Edit {
  return (description) => {
    const maximum = `${findParameter(description, 'limit')} schema maximum`.split(' ')
    description.setIn(maximum, Number(description.getIn(maximum)) + by)
  }
}

/** Returns the path of a parameter, which may be a component, or inlined in an operation. */
export function findParameter(description: Document, name: string): string {
  const components = childrenOf(description, 'components parameters')
  const operations = childrenOf(description, 'paths').flatMap((path) =>
    childrenOf(description, path),
  )
  const inline = operations.flatMap((path) => childrenOf(description, `${path} parameters`))
  const parameter = [...components, ...inline].find(
    (path) => description.getIn(`${path} name`.split(' ')) === name,
  )
  if (parameter === undefined) {
    throw new Error(`there is no parameter ${name} any more`)
  }
  return parameter
}

function childrenOf(description: Document, path: string): string[] {
  const node = description.getIn(path.split(' '))
  if (isMap(node)) {
    return node.items.map(({ key }) => `${path} ${key}`)
  }
  return isSeq(node) ? node.items.map((_, index) => `${path} ${index}`) : []
}

/** Returns a path on which every reference within the description is followed. */
export function followReferences(description: Document, path: string): string {
  let keys: readonly string[] = []
  for (const key of path.split(' ')) {
    for (let $ref = referenceAt(description, keys); $ref !== undefined; ) {
      keys = $ref.split('/').slice(1)
      $ref = referenceAt(description, keys)
    }
    keys = [...keys, key]
  }
  return keys.join(' ')
}

function referenceAt(description: Document, keys: readonly string[]): string | undefined {
  const $ref = description.getIn([...keys, '$ref'])
  return typeof $ref === 'string' && $ref.startsWith('#/') ? $ref : undefined
}

/** A place in a description, at a key or at its value. */
export interface Place {
  readonly mark: 'key' | 'value'
  readonly path: string
}

export const atKey = (path: string): Place => ({ mark: 'key', path })
export const atValue = (path: string): Place => ({ mark: 'value', path })

/** Returns what finds places in a text, for many places. */
export function createLocator(text: string): (place: Place) => { line: number; col: number } {
  const lineCounter = new LineCounter()
  const description = parseDocument(text, { lineCounter })
  return ({ mark, path }) => {
    const isKey = mark === 'key'
    const node = isKey ? findPair(description, path).key : description.getIn(path.split(' '), true)
    if (!isNode(node) || !node.range) {
      throw new Error(`there is no ${mark} ${path} any more`)
    }
    return lineCounter.linePos(node.range[0])
  }
}

function findPair(description: Document, path: string): Pair {
  const keys = path.split(' ')
  const parent =
    keys.length === 1 ? description.contents : description.getIn(keys.slice(0, -1), true)
  const pairs = isMap(parent) ? parent.items : []
  const pair = pairs.find(({ key }) => isScalar(key) && key.value === keys.at(-1))
  if (pair === undefined) {
    throw new Error(`there is no ${path} any more`)
  }
  return pair
}
