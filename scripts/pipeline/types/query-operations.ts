import {
  factory,
  isInterfaceDeclaration,
  isPropertySignature,
  isTypeLiteralNode,
  type Node,
  type PropertySignature,
  type TypeElement,
} from 'typescript'
import { type JsonObject, toObject } from '../../../server/description/json.ts'
import { nameOf, withType } from './property-signatures.ts'

/** The parts of a description that have path items. */
const holders = ['paths', 'webhooks'] as const

/** Stands in front of the name of a path item that holds the operation `query` of another one. */
const prefix = 'query '

/** The method in whose place openapi-typescript prints the operation. */
const printedMethod = 'post'

/**
 * Gives each operation `query`, which openapi-typescript does not know, a path item of its own, in which it is
 * another method. `joinQueries` puts its type where it belongs.
 */
export function separateQueries(description: JsonObject): JsonObject {
  const separated = holders
    .filter((holder) => holder in description)
    .map((holder) => [holder, withQueryItems(toObject(description[holder]))] as const)
  return { ...description, ...Object.fromEntries(separated) }
}

function withQueryItems(items: JsonObject): JsonObject {
  const added = Object.entries(items).flatMap(([name, item]) => {
    const { query, parameters } = toObject(item)
    if (query === undefined) {
      return []
    }
    return [[prefix + name, { parameters, [printedMethod]: query }] as const]
  })
  return { ...items, ...Object.fromEntries(added) }
}

/** Puts the types of the operations that `separateQueries` has separated into their path items. */
export function joinQueries(nodes: readonly Node[]): Node[] {
  return nodes.map((node) => {
    if (!isInterfaceDeclaration(node) || !isHolder(node.name.text)) {
      return node
    }
    const { modifiers, name } = node
    const members = joinItems(node.members)
    return factory.updateInterfaceDeclaration(node, modifiers, name, undefined, undefined, members)
  })
}

function isHolder(name: string): boolean {
  return holders.some((holder) => holder === name)
}

function joinItems(members: readonly TypeElement[]): readonly TypeElement[] {
  const items = members.filter(isPropertySignature)
  const isAdded = (item: PropertySignature) => nameOf(item).startsWith(prefix)
  const addedItems = new Map(items.filter(isAdded).map((item) => [nameOf(item), item] as const))
  const original = members.filter((member) => !isPropertySignature(member) || !isAdded(member))

  return original.map((member) => {
    const itemName = isPropertySignature(member) ? nameOf(member) : ''
    const queryItem = addedItems.get(prefix + itemName)
    return queryItem === undefined ? member : withQuery(member, queryItem)
  })
}

function withQuery(item: TypeElement, added: PropertySignature): TypeElement {
  const printed = membersOf(added).find((member) => nameOf(member) === printedMethod)
  if (!isPropertySignature(item) || printed === undefined) {
    return item
  }
  const query = factory.createPropertySignature(undefined, 'query', undefined, printed.type)
  return withType(item, factory.createTypeLiteralNode([...membersOf(item), query]))
}

function membersOf({ type }: PropertySignature): readonly PropertySignature[] {
  const isLiteral = type !== undefined && isTypeLiteralNode(type)
  return isLiteral ? type.members.filter(isPropertySignature) : []
}
