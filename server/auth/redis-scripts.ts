import { readFileSync } from 'node:fs'
import { defineScript } from '@redis/client'
import type { Quota } from './plans.ts'
import type { BanRule, Count, KeyCount } from './rate-limiter.ts'

/** The commands that Redis is taught; it gets a script once, and then its digest alone. */
export function createScripts(ban: BanRule, now: (() => number) | undefined) {
  const time = () => `${now?.() ?? ''}`
  return {
    countKey: defineScript({
      SCRIPT: read('count-key.lua'),
      NUMBER_OF_KEYS: 1,
      parseCommand(parser, name: string, { perMinute, perDay }: Quota) {
        parser.pushKey(name)
        parser.push(`${perMinute}`, `${perDay}`, `${ban.after}`, `${ban.seconds * 1000}`, time())
      },
      transformReply: toKeyCount,
    }),
    countAddress: defineScript({
      SCRIPT: read('count-address.lua'),
      NUMBER_OF_KEYS: 1,
      parseCommand(parser, name: string, more: 0 | 1) {
        parser.pushKey(name)
        parser.push(`${more}`, time())
      },
      transformReply: ([events, left]: readonly [number, number]) => toCount(events, left),
    }),
  }
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}

type KeyReply = readonly [
  outcome: KeyCount['outcome'],
  minute: number,
  minuteLeft: number,
  day: number,
  dayLeft: number,
  banLeft: number,
]

function toKeyCount([outcome, minute, minuteLeft, day, dayLeft, banLeft]: KeyReply): KeyCount {
  return {
    outcome,
    minute: toCount(minute, minuteLeft),
    day: toCount(day, dayLeft),
    bannedUntil: Date.now() + banLeft,
  }
}

// Redis tells how long a window still runs, so that its clock and ours may differ.
function toCount(events: number, left: number): Count {
  return { events, resetAt: Date.now() + left }
}
