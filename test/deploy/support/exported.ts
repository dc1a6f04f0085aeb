import { findFreePort } from '../../support/free-port.ts'
import { engines } from '../../support/places/engines.ts'
import { startTestService } from '../../support/service.ts'

/** The metrics that a service exports. */
export interface Exported {
  /** Their names, such as Prometheus gives them types. */
  readonly metrics: readonly string[]
  /** The names of series, each with the labels that were seen on it. */
  readonly series: ReadonlyMap<string, ReadonlySet<string>>
}

/** Asks a service on PostgreSQL and Redis, which has all metrics that there are. */
export async function readExported(): Promise<Exported> {
  const engine = engines.find(({ name }) => name !== 'SQLite')
  const REDIS_URL = `redis://127.0.0.1:${await findFreePort()}`
  const service = await startTestService({ OPS_PORT: '0', REDIS_URL }, await engine?.createPlace())
  await service.client.listPets()
  await service.send('/v1/pets/1')
  const metrics: string[] = []
  const series = new Map<string, Set<string>>()
  const text = await (await fetch(service.metricsUrl)).text()
  for (const line of text.split('\n')) {
    const [, typed, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    if (typed !== undefined) metrics.push(typed)
    const names = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    if (typed !== undefined) for (const end of names) series.set(typed + end, new Set())
    const [, metric = '', labels = ''] = /^([a-z]\w+)(?:\{(.*)\})? /.exec(line) ?? []
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) series.get(metric)?.add(label)
  }
  return { metrics, series }
}
