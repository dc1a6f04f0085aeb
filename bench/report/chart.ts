import { isMet, type Report } from './markdown.ts'
import { toRatioText, toText } from './numbers.ts'
import type { Bar, BarGroup, Target } from './outcome.ts'
import { element, label, toMarkup } from './svg.ts'

const [width, margin, row, thickness] = [900, 24, 24, 14]
/** Where bars begin and how long the longest is. */
const [barsAt, longest] = [300, 450]
/** Where the bars of targets begin, how long the longest may be, and one that is at its limit. */
const [targetsAt, longestTarget, mostLimit] = [470, 320, 220]

// Whoever looks may prefer light or dark; the colours differ in lightness too, for those who do not
// see all of them.
const style = `
.chart { font: 13px system-ui, sans-serif; }
text { fill: #1f2328; } .title { font-size: 19px; font-weight: 600; } .group { font-weight: 600; }
.faint { fill: #59636e; font-size: 12px; }
.page { fill: #ffffff; } .ours { fill: #3d85dd; } .peer { fill: #b4bcc6; } .missed { fill: #d9593f; }
.line { stroke: #1f2328; stroke-width: 1.4; } .bound { stroke: #59636e; stroke-dasharray: 3 3; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .faint { fill: #9aa4af; }
.page { fill: #0d1117; } .ours { fill: #58a6ff; } .peer { fill: #4a535e; } .missed { fill: #ff8a70; }
.line { stroke: #e6edf3; } .bound { stroke: #9aa4af; }
}`

/** Something drawn, and how high it is. */
interface Drawn {
  readonly content: string
  readonly height: number
}

/** Draws what was measured: bars for what is compared, with their spread, and each target. */
export function toChart(report: Report, groups: readonly BarGroup[]): string {
  const { processor, cores, node } = report.machine
  const title = 'What a request costs, and what was promised'
  const where = `${report.day}, ${processor}, ${cores} cores, Node.js ${node}. The line on a bar is the spread of its rounds.`
  let y = 76
  // One scale for all, so that groups can be compared too.
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ figure }) => figure.most)))
  const drawn = groups.map((group) => drawGroup(group, longest / most))
  const parts = [...drawn, drawTargets(report.targets)].map((part) => {
    const placed = element('g', { transform: `translate(0 ${y})` }, part.content)
    y += part.height
    return placed
  })
  const height = y + 8
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      ...{ width, height, class: 'chart', role: 'img', 'aria-labelledby': 'title about' },
    },
    element('title', { id: 'title' }, toMarkup(title)),
    element('desc', { id: 'about' }, toMarkup(inWords(groups, report.targets))),
    element('style', {}, style),
    element('rect', { width, height, class: 'page' }),
    label(margin, 34, title, 'title'),
    label(margin, 54, where, 'faint'),
    ...parts,
  )}\n`
}

function drawGroup({ title, bars }: BarGroup, scale: number): Drawn {
  const drawn = bars.map((bar, index) => drawBar(bar, 24 + index * row, scale))
  return {
    content: [label(margin, 10, title, 'group'), ...drawn].join(''),
    height: 24 + bars.length * row + 20,
  }
}

function drawBar({ name, figure, isOurs }: Bar, y: number, scale: number): string {
  const { median, least, most } = figure
  const middle = y + thickness / 2
  const [from, to] = [barsAt + least * scale, barsAt + most * scale]
  const spread = { y1: middle, y2: middle, class: 'line' }
  const cap = (x: number) => ({ x1: x, x2: x, y1: middle - 3, y2: middle + 3, class: 'line' })
  const bar = { x: barsAt, y, width: median * scale, height: thickness, rx: 2 }
  return [
    label(margin, y + 11, name, isOurs ? 'group' : ''),
    element('rect', { ...bar, class: isOurs ? 'ours' : 'peer' }),
    element('line', { x1: from, x2: to, ...spread }),
    element('line', cap(from)),
    element('line', cap(to)),
    label(to + 8, y + 11, toText(median), isOurs ? 'group' : ''),
  ].join('')
}

function drawTargets(targets: readonly Target[]): Drawn {
  if (targets.length === 0) return { content: '', height: 0 }
  const limit = Math.min(mostLimit, longestTarget / Math.max(...targets.map(shareOf)))
  const drawn = targets.map((target, index) => drawTarget(target, 24 + index * row, limit))
  const end = 24 + targets.length * row
  const x = targetsAt + limit
  return {
    content: [
      label(margin, 10, 'what was promised; the dashed line is what it may be at most', 'group'),
      ...drawn,
      element('line', { x1: x, x2: x, y1: 18, y2: end, class: 'bound' }),
    ].join(''),
    height: end + 16,
  }
}

function shareOf({ atMost, measured }: Target): number {
  return measured.median / atMost
}

function drawTarget(target: Target, y: number, limit: number): string {
  const { what, atMost, measured } = target
  const size = shareOf(target) * limit
  const bar = { x: targetsAt, y, width: size, height: thickness, rx: 2 }
  const value = `${toRatioText(measured.median)} of ${toRatioText(atMost)}`
  return [
    label(margin, y + 11, what.replaceAll('`', '')),
    element('rect', { ...bar, class: isMet(target) ? 'ours' : 'missed' }),
    label(targetsAt + Math.max(size, limit) + 8, y + 11, value, 'faint'),
  ].join('')
}

/** The chart for those who do not see it. */
function inWords(groups: readonly BarGroup[], targets: readonly Target[]): string {
  const ofBars = groups.map(({ title, bars }) => {
    const values = bars.map(({ name, figure }) => `${name} ${toText(figure.median)}`)
    return `${title}: ${values.join(', ')}.`
  })
  const met = targets.filter(isMet).length
  return [...ofBars, `${met} of ${targets.length} targets are met.`].join(' ')
}
