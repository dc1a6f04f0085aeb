import {
  factory,
  isIdentifier,
  isIndexedAccessTypeNode,
  isInterfaceDeclaration,
  isLiteralTypeNode,
  isPropertySignature,
  isStringLiteral,
  isTypeLiteralNode,
  isTypeReferenceNode,
  type Node,
  type TypeElement,
  type TypeNode,
  visitEachChild,
  visitNode,
} from 'typescript'
import { nameOf, withType } from './property-signatures.ts'

/** Gives some schemas of the printed `components` a type alias, by which they may contain themselves. */
export function aliasSchemas(nodes: readonly Node[], names: ReadonlySet<string>): Node[] {
  if (names.size === 0) {
    return [...nodes]
  }

  const aliases = new Map(Array.from(names, (name, index) => [name, `Schema${index + 1}`] as const))
  const declarations: Node[] = []

  const toAlias = (member: TypeElement): TypeElement => {
    if (!isPropertySignature(member) || member.type === undefined) {
      return member
    }
    const alias = aliases.get(nameOf(member))
    if (alias === undefined) {
      return member
    }

    const type = useAliases(member.type, aliases)
    declarations.push(factory.createTypeAliasDeclaration(undefined, alias, undefined, type))
    return withType(member, factory.createTypeReferenceNode(alias))
  }

  const edited = nodes.map((node) => {
    if (!isInterfaceDeclaration(node) || node.name.text !== 'components') {
      return node
    }
    const members = node.members.map((section) => editSchemaMembers(section, toAlias))
    const { modifiers, name } = node
    return factory.updateInterfaceDeclaration(node, modifiers, name, undefined, undefined, members)
  })
  return [...edited, ...declarations]
}

/** Edits the members of the property `schemas`. */
function editSchemaMembers(
  section: TypeElement,
  edit: (member: TypeElement) => TypeElement,
): TypeElement {
  if (!isPropertySignature(section) || nameOf(section) !== 'schemas') {
    return section
  }
  if (section.type === undefined || !isTypeLiteralNode(section.type)) {
    return section
  }
  return withType(section, factory.createTypeLiteralNode(section.type.members.map(edit)))
}

/** Replaces `components["schemas"]["…"]` by an alias, wherever it stands in a type. */
function useAliases(type: TypeNode, aliases: ReadonlyMap<string, string>): TypeNode {
  const visit = (node: Node): Node => {
    const alias = aliases.get(schemaNameOf(node) ?? '')
    if (alias !== undefined) {
      return factory.createTypeReferenceNode(alias)
    }
    return visitEachChild(node, visit, undefined)
  }
  // A type with other references is a type.
  return visitNode(type, visit) as TypeNode
}

/** Returns the name in `components["schemas"]["…"]`; undefined if a node is something else. */
function schemaNameOf(node: Node): string | undefined {
  if (!isIndexedAccessTypeNode(node) || !isIndexedAccessTypeNode(node.objectType)) {
    return undefined
  }
  const { objectType: root, indexType: section } = node.objectType
  const isOfComponents =
    isTypeReferenceNode(root) && isIdentifier(root.typeName) && root.typeName.text === 'components'
  return isOfComponents && textOf(section) === 'schemas' ? textOf(node.indexType) : undefined
}

function textOf(type: TypeNode): string | undefined {
  return isLiteralTypeNode(type) && isStringLiteral(type.literal) ? type.literal.text : undefined
}
