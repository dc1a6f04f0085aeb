import { toObject } from '../../pipeline/description.ts'
import { isReplaceable, openPlatformFile } from '../platform-file.ts'
import type { Context, Rule } from '../rule.ts'

/** Rejects components under names of the platform, for whose own components the service is written. */
export const componentNameFree: Rule = () => ({
  Root(root, context) {
    const platform = openPlatformFile(root, context.location.source.absoluteRef)
    if (platform === undefined) return

    const declared = toObject(root['components'])
    for (const [section, ofPlatform] of Object.entries(toObject(platform.root['components']))) {
      const names = Object.keys(toObject(declared[section]))
      const taken = names.filter((name) => name in toObject(ofPlatform))
      for (const name of taken.filter((each) => !isReplaceable(section, each))) {
        report(section, name, context)
      }
    }
  },
})

function report(section: string, name: string, { location, report }: Context): void {
  const own = `#/components/${section}/${name}`
  const message = `The platform has ${own} itself. Rename this one, such as to Api${name}, here and where "${own}" is referred to; or remove it, and refer to "platform.yaml${own}".`
  report({ message, location: location.child(['components', section, name]).key() })
}
