import { readFileSync } from 'node:fs'

const read = (name: string) => readFileSync(new URL(`./pasted/${name}`, import.meta.url), 'utf8')
// In the module that they are pasted into, they are nobody else's.
const readPrivate = (name: string) => read(name).replaceAll(/^export /gm, '')

/** What compiled functions are made with. */
export const valueText = readPrivate('values.js')

/** What those that look at formats are made with. */
export const formatText = `${readPrivate('formats.js')}\n`

/** What TypeScript is to know of the module. */
export const validatorTypes = read('validators.d.ts')
