// Makes the chart's library smaller in the page, and divides it: its indicators and drawing tools
// become klinecharts/tools, which is loaded when the first of them is used.
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const LIBRARY = /\/klinecharts\/dist\/index\.esm\.js.*$/
/** Draw what the page's styles hide, or what it draws itself. */
const UNUSED = [
  'CandleTooltipView',
  'IndicatorTooltipView',
  'CrosshairFeatureView',
  'CandleHighLowPriceView',
  'CandleLastPriceView',
  'CandleLastPriceLabelView',
  'IndicatorLastValueView',
]
/** A minifier keeps members, since it does not know which are private. */
const PRIVATE = /(?<![\w$'"`])_[a-z]\w{2,}\b/g
/** Long methods; the names of events are also texts. */
const METHOD = /\.prototype\.(\w{12,})(?<!Event) = function/g

const TOOLS = '?tools'
/** Definitions of tools, up to the table that has them, and the lists of their names. */
const TOOL_PARTS = [
  /^var averagePrice = \{[\s\S]*?(?=^var indicators = \{\};)/m,
  /^var brush = \{[\s\S]*?(?=^var overlays = \{\};)/m,
]
const TOOL_LISTS = {
  indicators: /^var extensions\$2 = (\[[^\]]*\]);/m,
  overlays: /^var extensions = (\[[^\]]*\]);/m,
}
const DECLARED = /^(?:var|function) ([\w$]+)/gm

export function leanChart(): Plugin {
  return {
    name: 'lean-chart',
    enforce: 'pre',
    config: () => ({ optimizeDeps: { exclude: ['klinecharts'] } }),
    async resolveId(source, importer) {
      if (source !== 'klinecharts/tools') return null
      const library = await this.resolve('klinecharts', importer)
      return library && `${library.id}${TOOLS}`
    },
    load: (id) =>
      LIBRARY.test(id) && id.endsWith(TOOLS)
        ? readFileSync(id.slice(0, -TOOLS.length), 'utf8')
        : null,
    transform(code, id) {
      if (!LIBRARY.test(id)) return null
      const types = readFileSync(id.replace(LIBRARY, '/klinecharts/dist/index.d.ts'), 'utf8')
      const lean = shorten(UNUSED.reduce(withoutView, code), new Set(types.match(/\w+/g)))
      const { library, tools } = divided(lean)
      return id.endsWith(TOOLS) ? tools : library
    },
  }
}

/** Divides the code; the tools import what they use of the rest. */
function divided(code: string): Readonly<{ library: string; tools: string }> {
  const found = (pattern: RegExp): RegExpExecArray => {
    const match = pattern.exec(code)
    if (match === null) throw new Error(`klinecharts: got no ${pattern}, expected tools`)
    return match
  }
  const parts = TOOL_PARTS.map((pattern) => found(pattern)[0])
  const lists = Object.entries(TOOL_LISTS).map(([name, pattern]) => ({
    ...{ name, all: found(pattern)[0], names: found(pattern)[1] ?? '' },
  }))
  const rest = lists.reduce(
    (text, { all, names }) => text.replace(all, () => all.replace(names, () => '[]')),
    parts.reduce((text, part) => text.replace(part, () => ''), code),
  )
  const moved = parts.join('\n')
  const words = new Set(moved.match(/[\w$]+/g))
  const shared = [...rest.matchAll(DECLARED)].flatMap(([, name = '']) =>
    words.has(name) ? [name] : [],
  )
  const exported = shared.map((name) => `${name} as tool_${name}`)
  const imported = shared.map((name) => `tool_${name} as ${name}`)
  const tables = lists.map(
    ({ name, names }) => `const all_${name} = ${names}\nexport { all_${name} as ${name} }`,
  )
  return {
    library: `${rest}\nexport { ${exported.join(', ')} }`,
    tools: [`import { ${imported.join(', ')} } from 'klinecharts'`, moved, ...tables].join('\n'),
  }
}

/** Replaces a view by one that draws nothing. */
function withoutView(code: string, name: string): string {
  const view = new RegExp(
    `var ${name} = /\\*\\* @class \\*/ \\(function [\\s\\S]*?\\n\\}\\((\\w+)\\)\\);`,
  )
  if (!view.test(code))
    throw new Error(`klinecharts: got no view ${name}, expected one to leave out`)
  return code.replace(
    view,
    (_, base) => `var ${name} = /** @class */ (function (_super) {
    __extends(${name}, _super);
    function ${name}() {
        return _super.apply(this, arguments) || this;
    }
    ${name}.prototype.drawImp = function () {};
    return ${name};
}(${base}));`,
  )
}

/** Gives short names to members that are not in the types of the library. */
function shorten(code: string, known: ReadonlySet<string>): string {
  const names = new Map<string, string>()
  const short = (name: string): string => {
    const given = names.get(name) ?? `_${names.size}`
    names.set(name, given)
    return given
  }
  const methods = new Set([...code.matchAll(METHOD)].map(([, name = '']) => name))
  return code
    .replaceAll(PRIVATE, short)
    .replaceAll(/(?<=\.)\w{12,}\b/g, (name) =>
      methods.has(name) && !known.has(name) ? short(name) : name,
    )
}
