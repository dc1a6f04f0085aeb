/** A package in `package-lock.json`, as far as `init` reads it. */
interface LockedPackage {
  readonly dependencies?: PackageVersions
  readonly devDependencies?: PackageVersions
  readonly optionalDependencies?: PackageVersions
  readonly peerDependencies?: PackageVersions
}

type PackageVersions = Readonly<Record<string, string>>

/** The packages of `package-lock.json` by their folder; that of the project itself is empty. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>

/** Returns the packages that the project depends on, directly or through other packages. */
export function removeUnneeded(packages: LockedPackages): LockedPackages {
  const needed = new Set<string>()
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (needed.has(folder)) {
      continue
    }
    needed.add(folder)
    for (const name of dependenciesOf(packages[folder] ?? {})) {
      const folderOfDependency = findPackage(packages, folder, name)
      if (folderOfDependency !== undefined) {
        waiting.push(folderOfDependency)
      }
    }
  }
  return Object.fromEntries(Object.entries(packages).filter(([folder]) => needed.has(folder)))
}

function dependenciesOf(locked: LockedPackage): readonly string[] {
  return Object.keys({
    ...locked.dependencies,
    ...locked.devDependencies,
    ...locked.optionalDependencies,
    ...locked.peerDependencies,
  })
}

/**
 * Returns the folder of a package as Node.js finds it from another folder: in `node_modules` there, or in a
 * folder above. An optional package may be missing.
 */
function findPackage(packages: LockedPackages, from: string, name: string): string | undefined {
  const folder = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`
  if (folder in packages) {
    return folder
  }
  if (from === '') {
    return undefined
  }
  const above = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))
  return findPackage(packages, above, name)
}
