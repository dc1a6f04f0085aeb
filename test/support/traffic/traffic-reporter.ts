import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reporter, Vitest } from 'vitest/node'
import type { Exchange } from './exchange.ts'

/**
 * Judges the traffic of a run when it has ended: each answer in any run, and in a run of everything
 * also that what is described was all asked and answered.
 */
export function createTrafficReporter(): Reporter {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-traffic-'))
  let run: Vitest | undefined
  return {
    onInit(vitest) {
      run = vitest
      vitest.provide('trafficFolder', folder)
    },
    async onTestRunEnd(modules) {
      const exchanges = readExchanges(folder)
      rmSync(folder, { recursive: true, force: true })
      const everything = (await run?.globTestSpecifications()) ?? []
      const isWhole =
        run?.config.testNamePattern === undefined && modules.length === everything.length
      await report(exchanges, isWhole)
    },
  }
}

function readExchanges(folder: string): Exchange[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line): Exchange => JSON.parse(line))
}

async function report(exchanges: readonly Exchange[], isWhole: boolean): Promise<void> {
  if (exchanges.length === 0 && !isWhole) return
  // Loaded here, because a run without traffic needs none of it.
  const { judgeAnswers, judgeTraffic } = await import('./verdict.ts')
  const { row, faults } = isWhole
    ? await judgeTraffic(exchanges)
    : { row: undefined, faults: judgeAnswers(exchanges) }
  if (row !== undefined) console.log(row)
  for (const fault of faults) console.log(fault)
  if (faults.length > 0) process.exitCode = 1
}
