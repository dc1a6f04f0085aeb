import type { Location } from '../../server/description/location.ts'
import { toKey } from '../../server/description/location.ts'
import { applyRule, type FactsOf, type RuleId } from './rules/index.ts'
import type { Rule } from './rules/rule.ts'

/** Where a change is: in the base, in the current description, or in both. */
export interface Places {
  readonly base?: Location | undefined
  readonly current?: Location | undefined
}

/** A change as one way to reach it shows it. */
export interface Observation extends Omit<Rule<never>, 'what' | 'title'> {
  readonly id: RuleId
  readonly what: string
  readonly places: Places
  /** The same for all that is seen of one change, whichever way it is reached. */
  readonly key: string
  readonly sunset?: string | undefined
}

interface Node {
  readonly observations: Observation[]
  readonly children: Set<Node>
}

/** Collects what a comparison observes, as a graph: what several operations use is compared once. */
export class Recorder {
  readonly #nodes = new Map<string, Node>()
  #current: Node = { observations: [], children: new Set() }

  /** Runs a comparison unless one of the same key has run, and notes that what is compared now uses it. */
  compareOnce(key: string, compare: () => void): void {
    const nodeOfKey = this.#nodes.get(key)
    if (nodeOfKey !== undefined) {
      this.#current.children.add(nodeOfKey)
      return
    }

    const node: Node = { observations: [], children: new Set() }
    this.#nodes.set(key, node)
    this.#current.children.add(node)
    const outer = this.#current
    this.#current = node
    compare()
    this.#current = outer
  }

  record<Id extends RuleId>(id: Id, facts: FactsOf<Id>, places: Places, sunset?: string): void {
    const { title: _, ...applied } = applyRule(id, facts)
    const at = [places.base, places.current].map((place) => place && toKey(place)).join(' ')
    this.#current.observations.push({ ...applied, places, key: `${at} ${applied.what}`, sunset })
  }

  /** Returns what was observed under a key, and in all that it uses. */
  under(key: string): readonly Observation[] {
    const passed = new Set<Node>()
    const next = [this.#nodes.get(key)]
    for (const node of next) {
      if (node === undefined || passed.has(node)) {
        continue
      }
      passed.add(node)
      next.push(...node.children)
    }
    return [...passed].flatMap(({ observations }) => observations)
  }
}
