import { expect, onTestFinished, test, vi } from 'vitest'
import { createEpisode } from '../../server/ops/episode.ts'
import { createKeptLog } from '../support/kept-log.ts'

const messages = { begun: 'It begins.', goesOn: 'It goes on.', over: 'It is over.' }

function startEpisodes() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { log, logged } = createKeptLog('info')
  const state = () => ({ waiting: 7 })
  const { note, stop } = createEpisode({ log, interval: 1_000, messages, state })
  const lines = () =>
    logged.map(({ level, msg, refused, waiting }) => [level, msg, refused, waiting])
  return { note, stop, lines }
}

test('of many refusals the log tells when they begin, now and then what has come, and how many there were', () => {
  const { note, lines } = startEpisodes()
  for (let count = 0; count < 5; count++) note()
  vi.advanceTimersByTime(1_000)
  note()
  vi.advanceTimersByTime(2_000)
  expect(lines()).toEqual([
    ['warn', 'It begins.', undefined, 7],
    ['warn', 'It goes on.', 5, 7],
    ['warn', 'It goes on.', 1, 7],
    ['info', 'It is over.', 6, undefined],
  ])
})

test('the next episode begins anew', () => {
  const { note, stop, lines } = startEpisodes()
  note()
  vi.advanceTimersByTime(2_000)
  note()
  stop()
  note()
  vi.advanceTimersByTime(1_000)
  expect(lines().slice(3)).toEqual([
    ['warn', 'It begins.', undefined, 7],
    ['info', 'It is over.', 1, undefined],
    ['warn', 'It begins.', undefined, 7],
    ['warn', 'It goes on.', 1, 7],
  ])
})

test('where nothing was refused there is nothing to tell', () => {
  const { stop, lines } = startEpisodes()
  vi.advanceTimersByTime(5_000)
  stop()
  expect(lines()).toEqual([])
})
