import { dirname, relative, resolve } from 'node:path'
import type { Location } from '../../server/description/location.ts'
import type { Sources } from '../pipeline/sources.ts'
import type { ComparedDescription } from './compared-description.ts'
import { toPlace, toSubject } from './pointer.ts'
import type { Places } from './recorder.ts'

/** Two descriptions, with the words for what is in them. */
export class Pair {
  readonly base: ComparedDescription
  readonly current: ComparedDescription

  constructor(base: ComparedDescription, current: ComparedDescription) {
    this.base = base
    this.current = current
  }

  /** Returns where a change is, by what the base and the current description state; one of them may state nothing. */
  between(before: Location | undefined, after: Location | undefined): Places {
    if (before === undefined || after !== undefined) {
      return { base: before, current: after }
    }
    return { base: before, current: this.#findAgain(before) }
  }

  /** Returns where the current description has what held a location of the base; undefined if it is gone. */
  #findAgain({ file, pointer }: Location): Location | undefined {
    const { base, current } = this
    const path = relative(dirname(base.sources.file), file)
    const same =
      file === base.sources.file
        ? current.sources.file
        : resolve(dirname(current.sources.file), path)
    const holder = pointer.slice(0, pointer.lastIndexOf('/'))
    const isThere =
      current.sources.has(same) &&
      current.documents.at({ file: same, pointer: holder }).value !== undefined
    return isThere ? { file: same, pointer } : undefined
  }

  /** Returns the words for what is at a place, such as "`name` of `Order`". */
  nameOf({ base, current }: Places): string {
    if (current !== undefined) {
      return nameIn(this.current, current)
    }
    return base === undefined ? 'the description' : nameIn(this.base, base)
  }

  /** Returns where something is, such as `GET /orders` or `components.schemas.Order`. */
  placeOf({ base, current }: Places): string {
    if (current !== undefined) {
      return placeIn(this.current, current)
    }
    return base === undefined ? 'the description' : placeIn(this.base, base)
  }
}

function nameIn({ sources }: ComparedDescription, { file, pointer }: Location): string {
  const find = (at: string) => sources.valueAt({ file, pointer: at })
  return toSubject(pointer, file, find, hasPlaces(sources, file))
}

function placeIn({ sources, service }: ComparedDescription, at: Location): string {
  const hasOwnPlace = hasPlaces(sources, at.file) || at.file === service.file
  const use = hasOwnPlace ? at : findUse(sources, at)
  return toPlace(use?.pointer ?? '#', at.file)
}

/** Returns whether places in a file have names of their own: in the first one and in the platform's. */
export function hasPlaces({ file: first, platform }: Sources, file: string): boolean {
  return file === first || file === platform?.file
}

/** Returns where the first file has what is written in another one; undefined if it refers to none of it. */
function findUse(sources: Sources, { file, pointer }: Location): Location | undefined {
  for (const reference of sources.findAll('$ref')) {
    const holder = reference.pointer.slice(0, reference.pointer.lastIndexOf('/'))
    const place = { file: reference.file, pointer: holder }
    const target = sources.documents.tryNext({ ...place, value: { $ref: reference.value } })
    if (target?.file !== file || reference.file !== sources.file) {
      continue
    }
    const from = target.pointer.replace(/\/$/, '')
    const isInside = pointer === from || pointer.startsWith(`${from}/`)
    if (isInside) {
      return { ...place, pointer: `${holder}${pointer.slice(from.length)}` }
    }
  }
  return undefined
}
