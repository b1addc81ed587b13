// Reads the guides for serving: Markdown whose links are resolved to served paths.
import { listDocsFiles, readDocsFile } from './docs-files.ts'

export type Guide = Readonly<{
  /** `KEYS.md`. */
  file: string
  title: string
  /** Its first sentence. */
  about: string
  text: string
}>

/** Guides to list first. */
const FIRST = ['API-GUIDE.md', 'TRADING.md', 'KEYS.md', 'SOCKETS.md']
/** Guides for operators, developers and readers of proofs. */
const OPTIONAL = [
  'ARCHITECTURE.md',
  'DEPLOY.md',
  'HIGH-AVAILABILITY.md',
  'INTERFACE.md',
  'MACHINES.md',
  'OPERATING.md',
  'RUNBOOK.md',
  'SPEED.md',
  'UPGRADE.md',
  'WHERE-TO-CHANGE.md',
]

/** Returns whether a trading program needs the guide. */
export const isForTraders = ({ file }: Guide): boolean => !OPTIONAL.includes(file)

/** Returns every document of the folder, sorted by name. */
export function readGuides(): readonly Guide[] {
  const files = listDocsFiles('.').filter((file) => file.endsWith('.md'))
  const known = new Set(files)
  const rest = files.filter((file) => !FIRST.includes(file)).sort()
  return [...FIRST.filter((file) => known.has(file)), ...rest].map((file) => {
    const text = relink(String(readDocsFile(file)), known)
    const [title = file, ...lines] = text.split('\n')
    const first = lines.find((line) => /^[\w`*]/.test(line)) ?? ''
    return { file, title: title.replace(/^# /, ''), about: plain(firstSentence(first)), text }
  })
}

const firstSentence = (line: string) =>
  /^.*?[.:](?=\s|$)/.exec(line)?.[0].replace(/:$/, '.') ?? line

/** Removes Markdown markup. */
const plain = (text: string) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('**', '')

const FENCE = /^```.*?^```$/gms
const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g

/** Replaces links to pages that are not served by their words. */
export function relink(text: string, known: ReadonlySet<string>): string {
  const isServed = (target: string) =>
    /^(#|https?:)/.test(target) || known.has(target.split('#', 1)[0] ?? '')
  const fences = text.match(FENCE) ?? []
  return text
    .split(FENCE)
    .map((part, index) => {
      const linked = part.replaceAll(LINK, (all: string, words: string, target: string) =>
        isServed(target) ? all : words,
      )
      return linked + (fences[index] ?? '')
    })
    .join('')
}
