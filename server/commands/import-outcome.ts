import type { Imported, ImportOptions } from '../bulk/import-file.ts'
import { toWords } from '../bulk/progress.ts'
import { CommandRefused } from './command-refused.ts'

/** What an import is to people, who named its file; throws where it did not do what it was to do. */
export function toOutcome(
  { file, skipInvalid }: ImportOptions & { readonly file: string },
  { records, bad, before, after }: Imported,
): string {
  const breaks = bad === 1 ? 'breaks' : 'break'
  if (after.finishedAt === undefined) throw unfinished()
  const all = count(after.animals, 'animal')
  if (before.finishedAt !== undefined) {
    const at = new Date(before.finishedAt).toISOString()
    return `${file} was imported already, at ${at}: ${all}. To add them once more: --again`
  }
  const rest = before.records === 0 ? '' : ` It went on after record ${toWords(before.records)}.`
  const left = bad === 0 ? '' : `, without ${count(bad, 'record')} that ${breaks} the contract`
  return `${all} of ${file} are in${left}.${rest}`

  function unfinished(): CommandRefused {
    if (records === 0) return new CommandRefused(`${file} holds no animals. Nothing was added.`)
    if (bad > 0 && !skipInvalid) {
      const advice = 'Mend them, or leave them out with --skip-invalid.'
      const faults = `${toWords(bad)} of ${count(records, 'record')} of ${file} ${breaks} the contract`
      return new CommandRefused(`Nothing was added: ${faults}. ${advice}`)
    }
    if (after.records === 0) return new CommandRefused('Stopped. This run has added nothing.')
    const far = `${toWords(after.records)} of ${count(records, 'record')}`
    return new CommandRefused(`Stopped: ${far} are in. Run the same command again to go on there.`)
  }
}

function count(number: number, noun: string): string {
  return `${toWords(number)} ${noun}${number === 1 ? '' : 's'}`
}
