import { isDeepStrictEqual } from 'node:util'
import type { Server, ServerVariable } from '../../server/description/servers.ts'
import { compareParts } from './compare-parts.ts'
import type { Places, Recorder } from './recorder.ts'
import type { Pair } from './words.ts'

/** Compares where an API is served. */
export function compareServers(
  pair: Pair,
  recorder: Recorder,
  base: readonly Server[],
  current: readonly Server[],
  at: Places,
): void {
  const lost = [...base]
  const gained: Server[] = []
  const pairs: [Server, Server][] = []
  const pairWith = (server: Server, isMatch: (before: Server) => boolean) => {
    const before = lost.find(isMatch)
    if (before === undefined) {
      return false
    }
    lost.splice(lost.indexOf(before), 1)
    pairs.push([before, server])
    return true
  }
  const unmatched = current.filter((server) => {
    return !pairWith(server, (before) => before.defaultUrl === server.defaultUrl)
  })
  for (const server of unmatched) {
    // The same URL may have a variable with another default.
    const hasVariable = server.url.includes('{')
    if (!pairWith(server, (before) => hasVariable && before.url === server.url)) {
      gained.push(server)
    }
  }
  for (const { url, at: place } of gained) {
    recorder.record('server-added', { url }, { current: place })
  }
  for (const { url, at: place } of lost) {
    recorder.record('server-removed', { url }, { base: place, current: at.current })
  }
  for (const [before, server] of pairs) {
    compareServer(pair, recorder, before, server)
  }

  const [firstBefore] = base
  const firstPair = pairs.find(([before]) => before === firstBefore)
  if (firstPair !== undefined && current[0] !== firstPair[1]) {
    recorder.record('servers-reordered', { subject: pair.nameOf(at) }, at)
  }
}

function compareVariable(
  pair: Pair,
  recorder: Recorder,
  base: ServerVariable,
  current: ServerVariable,
): void {
  const at = { base: base.at, current: current.at }
  const subject = pair.nameOf(at)
  if (base.default !== current.default) {
    const facts = { subject, before: base.default, after: current.default }
    recorder.record('server-variable-default-changed', facts, at)
  }
  if (!isDeepStrictEqual(base.values, current.values)) {
    const { values: after } = current
    const isWider =
      after === undefined || base.values?.every((value) => after.includes(value)) === true
    const id = isWider ? 'server-variable-enum-widened' : 'server-variable-enum-narrowed'
    recorder.record(id, { subject, before: base.values, after }, at)
  }
  compareParts(pair, recorder, base, current)
}

function compareServer(pair: Pair, recorder: Recorder, base: Server, current: Server): void {
  for (const [name, variable] of current.variables) {
    const before = base.variables.get(name)
    // A new variable has the default that stood in the URL.
    if (before !== undefined) {
      compareVariable(pair, recorder, before, variable)
    }
  }
  for (const [name, { at: place, values }] of base.variables) {
    if (current.variables.has(name)) {
      continue
    }
    const at = { base: place, current: current.at }
    const subject = `the variable \`${name}\` of the server`
    if (values?.length === 1) {
      recorder.record('server-variable-removed', { subject }, at)
    } else {
      recorder.record(
        'server-variable-enum-narrowed',
        { subject, before: name, after: undefined },
        at,
      )
    }
  }
  compareParts(pair, recorder, base, current)
}
