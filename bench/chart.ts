import type { Row } from './rows.ts'
import { toText } from './statistics.ts'

const width = 900
const margin = 24
const rowHeight = 24
const barHeight = 14
const barStart = 320
const maxBarLength = 440

// Readers may prefer light or dark; the colours differ in lightness too, for those who do not see all
// of them.
const style = `
text { font: 13px system-ui, sans-serif; fill: #1f2328; } .title { font-size: 18px; font-weight: 600; }
.group, .ours + text { font-weight: 600; } .faint { fill: #59636e; font-size: 12px; }
.page { fill: #fff; } .ours { fill: #3d85dd; } .peer { fill: #b4bcc6; } .spread { stroke: #1f2328; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .faint { fill: #9aa4af; }
.page { fill: #0d1117; } .ours { fill: #58a6ff; } .peer { fill: #4a535e; } .spread { stroke: #e6edf3; } }`

/** Draws the CPU time of a request, by operation and server, as an SVG image. */
export function drawChart(rows: readonly Row[], about: string): string {
  const bars = rows.filter(({ unit }) => unit === 'µs CPU')
  const groups = Map.groupBy(bars, ({ what }) => what.split(': ')[0] ?? '')
  const scale = maxBarLength / Math.max(...bars.map(({ figure }) => figure.most))
  const parts: string[] = []
  let y = 86
  for (const [operation, ofOperation] of groups) {
    parts.push(text(margin, y, `${operation}, µs of CPU`, 'group'))
    for (const { what, figure } of ofOperation) {
      y += rowHeight
      const name = what.slice(operation.length + 2)
      const middle = y - 4
      const [from, to] = [figure.least, figure.most].map((value) => barStart + value * scale)
      parts.push(
        text(margin, y, name),
        `<rect x="${barStart}" y="${middle - barHeight / 2}" width="${(figure.median * scale).toFixed(1)}" height="${barHeight}" rx="2" class="${name === 'this service' ? 'ours' : 'peer'}"/>`,
        `<path d="M${from?.toFixed(1)} ${middle}H${to?.toFixed(1)}" class="spread"/>`,
        text((to ?? 0) + 8, y, toText(figure.median)),
      )
    }
    y += 36
  }
  const title = 'What a request costs: a shorter bar is better'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" aria-labelledby="title"><title id="title">${title}: ${bars.map(({ what, figure }) => toMarkup(`${what} ${toText(figure.median)}`)).join(', ')}</title><style>${style}</style><rect width="${width}" height="${y}" class="page"/>
${[text(margin, 34, title, 'title'), text(margin, 54, about, 'faint'), ...parts].join('\n')}
</svg>
`
}

function text(x: number, y: number, content: string, name = ''): string {
  const attributes = name === '' ? '' : ` class="${name}"`
  return `<text x="${x.toFixed(0)}" y="${y}"${attributes}>${toMarkup(content)}</text>`
}

function toMarkup(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
