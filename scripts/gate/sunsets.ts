import { toChild, toPlace, toSubject } from '../diff/pointer.ts'
import { isObject, type JsonObject } from '../pipeline/description.ts'

/** How many days before a sunset one is reminded of it. */
const reminderDays = 90
const dayLength = 86_400_000

/** Errors and reminders about the days on which parts of a description will be removed. */
export interface SunsetFindings {
  readonly faults: readonly SunsetFault[]
  readonly reminders: readonly string[]
}

/** A day that has passed, and where it is written. */
export interface SunsetFault {
  readonly pointer: string
  readonly what: string
}

/** Looks for sunsets that are past or near; days begin at midnight in UTC, as the header says it. */
export function checkSunsets(description: JsonObject, today: Date): SunsetFindings {
  const faults: SunsetFault[] = []
  const reminders: string[] = []
  for (const { pointer, sunset } of findSunsets(description, '#')) {
    const name = nameOf(description, pointer)
    const days = Math.ceil((Date.parse(sunset) - today.getTime()) / dayLength)
    if (days <= 0) {
      const what = `${name} was to be removed on ${sunset} and is still there; remove it from the spec, or give its consumers more time with a later x-sunset`
      faults.push({ pointer: toChild(pointer, 'x-sunset'), what })
    } else if (days <= reminderDays) {
      const distance = days === 1 ? '1 day' : `${days} days`
      reminders.push(
        `${name} will be removed on ${sunset}, in ${distance}; tell those who still use it`,
      )
    }
  }
  return { faults, reminders }
}

// An operation is known by its path; what is in it, or shared, by its own name first.
function nameOf(description: JsonObject, pointer: string): string {
  const [place, subject] = [toPlace(pointer), toSubject(description, pointer)]
  return subject === place ? place : `${subject} (${place})`
}

interface Sunset {
  readonly pointer: string
  readonly sunset: string
}

function findSunsets(node: unknown, pointer: string): readonly Sunset[] {
  if (Array.isArray(node)) {
    return node.flatMap((item, index) => findSunsets(item, toChild(pointer, String(index))))
  }
  if (!isObject(node)) return []
  const { 'x-sunset': sunset } = node
  const isDay = typeof sunset === 'string' && !Number.isNaN(Date.parse(sunset))
  const below = Object.entries(node).flatMap(([key, value]) =>
    findSunsets(value, toChild(pointer, key)),
  )
  return isDay ? [{ pointer, sunset }, ...below] : below
}
