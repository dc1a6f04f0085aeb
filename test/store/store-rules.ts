import type { CreatePlace } from '../support/places/place.ts'

/** What any store must do, rule by rule: each runs at a place of its own. */
export type StoreRules = Readonly<Record<string, (createPlace: CreatePlace) => Promise<void>>>
