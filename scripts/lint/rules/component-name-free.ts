import { basename, extname } from 'node:path'
import { type JsonObject, toObject } from '../../../server/description/json.ts'
import { pointerKeys } from '../../../server/description/pointer.ts'
import { isReplaceable, openPlatformFile, type PlatformFile } from '../platform-file.ts'
import type { Context, Rule } from '../rule.ts'

/** The sections of components by the type of what they hold. */
const sections: Readonly<Record<string, string>> = {
  Schema: 'schemas',
  Parameter: 'parameters',
  Response: 'responses',
  Header: 'headers',
  Example: 'examples',
}

/** Rejects components under names of the platform, for whose own components the service is written. */
export const componentNameFree: Rule = () => {
  let description: JsonObject = {}
  let file = ''
  let platform: PlatformFile | undefined

  return {
    Root(root, context) {
      description = root
      file = context.location.source.absoluteRef
      platform = openPlatformFile(root, file)
      if (platform !== undefined) {
        checkComponents(root, platform, context)
      }
    },
    // What is referred to in another file becomes a component of the compiled contract, under its name there.
    ref(reference, context) {
      const section = sections[context.type.name]
      const target = context.resolve(reference).location
      if (platform === undefined || section === undefined || target === undefined) {
        return
      }
      const targetFile = target.source.absoluteRef
      if ([file, platform.file].includes(targetFile)) {
        return
      }

      const name = pointerKeys(target.pointer).at(-1) || nameOf(targetFile)
      const isOfPlatform = name in componentsIn(platform.root, section)
      // A component of the description that leads there is checked itself.
      const isChecked = name in componentsIn(description, section)
      if (!isOfPlatform || isChecked) {
        return
      }

      const message = `The platform has ${toPointer(section, name)} itself. Rename what this refers to, such as to Api${name}: the compiled contract has it under its name.`
      context.report({ message, location: context.location.child('$ref') })
    },
  }
}

/** Reports the components of a description that have names of the platform, unless they may replace its own. */
function checkComponents(root: JsonObject, platform: PlatformFile, context: Context): void {
  for (const section of Object.values(sections)) {
    const ofPlatform = componentsIn(platform.root, section)
    const names = Object.keys(componentsIn(root, section))
    const reserved = names.filter((name) => name in ofPlatform && !isReplaceable(section, name))
    for (const name of reserved) {
      const pointer = toPointer(section, name)
      const message = `The platform has ${pointer} itself. Rename this one, such as to Api${name}, here and where "${pointer}" is referred to; or remove it, and refer to "platform.yaml${pointer}".`
      const location = context.location.child(['components', section, name]).key()
      context.report({ message, location })
    }
  }
}

function componentsIn(root: JsonObject, section: string): JsonObject {
  return toObject(toObject(root['components'])[section])
}

function toPointer(section: string, name: string): string {
  return `#/components/${section}/${name}`
}

function nameOf(file: string): string {
  return basename(file, extname(file))
}
