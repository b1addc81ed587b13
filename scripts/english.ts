// Counts nine patterns that make English read like a translation, in comments, documents, test
// titles and user-facing strings. `node scripts/english.ts` prints the share of each package,
// `node scripts/english.ts api` also its matches, `node scripts/english.ts --record` records the
// shares that tidy.test.ts holds.
import { globSync, readFileSync, writeFileSync } from 'node:fs'

/** One comment, sentence of a document, test title or string, with the line where it starts. */
type Prose = Readonly<{ line: number; text: string }>

type Share = Readonly<{ texts: number; matches: number; percent: number }>

export const SHARES_FILE = 'scripts/english-shares.json'

const PATTERNS: Readonly<Record<string, RegExp>> = {
  'starts with a relative word': /(?:^|[.!:] )(What|Who|Whose|Those|Whether|Which)\b(?![^.]*\?)/,
  'programs that say or hear': /\b(says?|said|hears?|heard)\b/i,
  'nobody and the like': /\b(no|some|any|every)body\b/i,
  'starts with Of, By or As': /(?:^|[.!] )(Of|By|As)\b/,
  'so long as a quantity': /\bso (long|many|often)\b(?! as\b)/i,
  stands: /\b(stands?|stood)\b/i,
  alone: /\balone\b/i,
  'is no': /(?<!\bthere )\b(is|are) no\b(?! longer\b)/i,
  anew: /\banew\b/i,
}

/** Returns the names of the patterns that a text matches. */
export const patternsIn = (text: string): readonly string[] =>
  Object.entries(PATTERNS).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []))

const TITLE = /\b(?:test|describe|it)(?:\.\w+)?\(\s*(['"`])((?:(?!\1).)+)\1/g
const COMMENT = /^\s*(?:\/\/\/?|\/\*\*?|\*)(?!\/)\s?(.*?)(?:\*\/)?\s*$/
const TRAILING_COMMENT = /[;,{}()\]]\s+\/\/ (.*)$/
const STRING = /(['"`])((?:(?!\1|\\).|\\.)*)\1/g
const JSX_TEXT = /(?:^|>)\s*([A-Za-z][^<>{}=;()]*)(?=<|\{|$)/g
const WORDS_MIN = 3
const isProse = (text: string) =>
  text.split(/\s+/).filter((w) => /[a-z]{2}/i.test(w)).length >= WORDS_MIN

/** Returns the prose of a file by its ending. Tests yield comments and titles, but no strings. */
export function proseIn(path: string, text: string): readonly Prose[] {
  if (path.endsWith('.md')) return sentencesIn(text)
  const lines = text.split('\n')
  const isTest = /\.(test|e2e|browser|types\.test|t)\.(ts|sol)$|\/test\//.test(path)
  const titles = linesWith(lines, TITLE)
  const strings = isTest || path.endsWith('.sol') ? [] : linesWith(lines, STRING).filter(isPlain)
  const jsx = path.endsWith('.tsx') ? linesWith(lines, JSX_TEXT).filter(isPlain) : []
  return [...commentsIn(lines), ...titles, ...strings, ...jsx]
}

const isPlain = ({ text }: Prose) =>
  isProse(text) &&
  !/\$\{.*\b(SELECT|FROM|WHERE)\b|^\s*(SELECT|FROM|WHERE|INSERT|CREATE)\b/.test(text)

const linesWith = (lines: readonly string[], pattern: RegExp): readonly Prose[] =>
  lines.flatMap((line, index) =>
    COMMENT.test(line)
      ? []
      : [...line.matchAll(pattern)].map((match) => ({ line: index + 1, text: match.at(-1) ?? '' })),
  )

/** Returns comments as they are read: lines that follow each other are one. */
function commentsIn(lines: readonly string[]): readonly Prose[] {
  const comments: { line: number; text: string }[] = []
  let isOpen = false
  for (const [index, line] of lines.entries()) {
    const [, wholeLine] = COMMENT.exec(line) ?? []
    const [, trailing] = wholeLine === undefined ? (TRAILING_COMMENT.exec(line) ?? []) : []
    const text = wholeLine ?? trailing
    const isNext = isOpen && wholeLine !== undefined && !/^\s*\/\*/.test(line)
    const last = comments.at(-1)
    if (isNext && last) last.text += ` ${text}`
    else if (text !== undefined) comments.push({ line: index + 1, text })
    isOpen = wholeLine !== undefined
  }
  return comments
    .map(({ line, text }) => ({ line, text: text.trim() }))
    .filter(({ text }) => text !== '')
}

/** Returns headings, cells, list items and sentences of a Markdown document, without its code. */
function sentencesIn(text: string): readonly Prose[] {
  const plain = text.replaceAll(/^```[\s\S]*?^```/gm, (code) => code.replaceAll(/[^\n]/g, ''))
  const blocks: { line: number; text: string }[] = []
  let isOpen = false
  for (const [index, line] of plain.split('\n').entries()) {
    const isStart = /^\s*([-*+>|#]|\d+\.)/.test(line)
    const content = line.replace(/^\s*([-*+>#]+|\d+\.)\s+/, '').trim()
    const last = blocks.at(-1)
    if (content === '') isOpen = false
    else if (last && isOpen && !isStart) last.text += ` ${content}`
    else {
      blocks.push({ line: index + 1, text: content })
      isOpen = !/^[|#]/.test(line)
    }
  }
  return blocks.flatMap(({ line, text }) =>
    text
      .replaceAll(/\]\([^)]*\)/g, ']')
      .split(/\||(?<=[.!?]) (?=[A-Z"`[])/)
      .map((sentence) => ({ line, text: sentence.replace(/^[\s*_[]+/, '').trim() }))
      .filter(({ text }) => isProse(text)),
  )
}

/** Every file with prose, by its package; documents at the root and in docs are `docs`. */
function proseFiles(): ReadonlyMap<string, readonly string[]> {
  const paths = globSync('**/*.{ts,tsx,sol,md}', {
    exclude: (path) =>
      /node_modules|^contracts\/(abi|out|cache|lib)|\/(dist|generated)\/|^client\/dist|^docs\/site|^\.data/.test(
        path,
      ),
  }).filter((path) => path !== 'CHANGELOG.md' && path !== 'scripts/english.ts')
  const packageOf = (path: string) => (path.includes('/') ? (path.split('/')[0] ?? '') : 'docs')
  return Map.groupBy(paths.sort(), packageOf)
}

/** Returns the share of each package's prose that matches a pattern, in percent, one decimal. */
export function shares(): ReadonlyMap<string, Share> {
  return new Map(
    [...proseFiles()].sort().map(([owner, paths]) => {
      const texts = paths.flatMap((path) => proseIn(path, readFileSync(path, 'utf8')))
      const matches = texts.filter(({ text }) => patternsIn(text).length > 0).length
      const percent = Math.round((1000 * matches) / Math.max(texts.length, 1)) / 10
      return [owner, { texts: texts.length, matches, percent }]
    }),
  )
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

if (import.meta.main) {
  const [chosen = ''] = process.argv.slice(2)
  const all = shares()
  for (const path of proseFiles().get(chosen) ?? [])
    for (const { line, text } of proseIn(path, readFileSync(path, 'utf8')))
      for (const pattern of patternsIn(text)) print(`${path}:${line} ${pattern}: ${text}`)
  for (const [owner, { texts, matches, percent }] of all)
    if (!all.has(chosen) || chosen === owner)
      print(`${owner.padEnd(10)} ${String(percent).padStart(5)} %  ${matches} of ${texts}`)
  if (chosen === '--record') {
    const percents = Object.fromEntries([...all].map(([owner, { percent }]) => [owner, percent]))
    writeFileSync(SHARES_FILE, `${JSON.stringify(percents, undefined, 2)}\n`)
  }
}
