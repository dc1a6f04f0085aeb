import { factory, type PropertySignature, type TypeNode } from 'typescript'

/** Returns the name of a property. */
export function nameOf({ name }: PropertySignature): string {
  return 'text' in name ? name.text : ''
}

/** Returns a property with another type. */
export function withType(property: PropertySignature, type: TypeNode): PropertySignature {
  const { modifiers, name, questionToken } = property
  return factory.updatePropertySignature(property, modifiers, name, questionToken, type)
}
