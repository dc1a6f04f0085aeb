import { client, type Handler } from './api.ts'
import type {
  Bolt,
  Car,
  Cat,
  LongBolt,
  Note,
  Part,
  RacingCar,
  Shape,
  ShelvedPart,
  Version,
} from './generated/calls.ts'

export const note: Note = { form: 'plain', text: 'a' }
export const rich = (one: Note): string => (one.form === 'rich' ? one.html : one.text)
export const kind = (one: ShelvedPart): 'bolt' | 'nut' | 'ring' => one.kind
export const size = (one: ShelvedPart): number => (one.kind === 'bolt' ? one.length : one.width)
export const shelf = (one: ShelvedPart): string => one.shelf
const bolt: Bolt = { kind: 'bolt', length: 1 }
export const part: Part = bolt
export const onlyBolt: 'bolt' = bolt.kind
export const long: LongBolt = { kind: 'bolt', length: 9, name: 'a' }
client.addPart({ kind: 'ring', width: 1, shelf: 'a' })
export const car: Car = { engine: 'car', seats: 5 }
export const racingCar: RacingCar = { engine: 'car', seats: 5, team: 'a' }
export const cat: Cat = { class: 'mam', family: 'Cat', lives: 9 }
client.addCreature(cat)
client.addCreature({ class: 'rep', scales: 1 })
client.addVehicle({ engine: 'van' })
export const radius = (one: Shape): number => (one.type === 'Circle' ? one.radius : one.side)
client.addShape({ type: 'Square', side: 1 })
client.addVersion({ version: 1, old: 'a' })
client.addLabel({ size: 'L', text: 'a' })
client.addLabel({ size: 'S' })
export const newer = (one: Version): string => {
  if (one.version === 3) {
    return one.newer
  }
  return one.version === 2 ? one.new : one.old
}
export const handler: Handler<'addNote'> = (_input, { respond }) =>
  respond(200, { form: 'rich', html: 'a' })

// @ts-expect-error the name of the schema is no value
client.addNote({ form: 'PlainNote', text: 'a' })
// @ts-expect-error a plain note has a text
client.addNote({ form: 'plain', html: 'a' })
// @ts-expect-error a bolt has a length
client.addPart({ kind: 'bolt', width: 1, shelf: 'a' })
// @ts-expect-error a part has a shelf
client.addPart({ kind: 'bolt', length: 1 })
// @ts-expect-error a car is no van
client.addCar({ engine: 'van' })
// @ts-expect-error the mapping does not name it
client.addCreature({ class: 'Cat', family: 'Cat', lives: 9 })
// @ts-expect-error a square has a side
client.addShape({ type: 'Square', radius: 1 })
export const wrong: Handler<'addNote'> = (_input, { respond }) =>
  // @ts-expect-error a rich note has no text
  respond(200, { form: 'rich', text: 'a' })
// @ts-expect-error a large label has a text
client.addLabel({ size: 'L' })
// @ts-expect-error the third version is an integer
client.addVersion({ version: '3', newer: 'a' })
// @ts-expect-error the second version is new
client.addVersion({ version: 2, old: 'a' })
