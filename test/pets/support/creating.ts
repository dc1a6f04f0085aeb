// The names by which test/system/faults imports these.
export { pet as animal, postOnce as post } from './pets.ts'
