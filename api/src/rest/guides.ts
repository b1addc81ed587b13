// Reads the documents that people write, as they are served: Markdown whose links lead somewhere.
import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../../docs/', import.meta.url)

export type Guide = Readonly<{
  /** `KEYS.md`. */
  file: string
  title: string
  /** Its first sentence. */
  about: string
  text: string
}>

/** What to read first. */
const FIRST = ['API-GUIDE.md', 'TRADING.md', 'KEYS.md', 'SOCKETS.md']
/** For those who run the venue or change it, or who want to see every proof. */
const OPTIONAL = [
  'ARCHITECTURE.md',
  'DEPLOY.md',
  'INTERFACE.md',
  'MACHINES.md',
  'OPERATING.md',
  'RUNBOOK.md',
  'SPEED.md',
  'UPGRADE.md',
  'WHERE-TO-CHANGE.md',
]

/** Whether a program that trades needs it. */
export const isForTraders = ({ file }: Guide): boolean => !OPTIONAL.includes(file)

/** Returns every document of the folder, by its name. */
export function readGuides(): readonly Guide[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.md'))
  const known = new Set(files)
  const rest = files.filter((file) => !FIRST.includes(file)).sort()
  return [...FIRST.filter((file) => known.has(file)), ...rest].map((file) => {
    const text = relink(readFileSync(new URL(file, FOLDER), 'utf8'), known)
    const [title = file, ...lines] = text.split('\n')
    const first = lines.find((line) => /^[\w`*]/.test(line)) ?? ''
    return { file, title: title.replace(/^# /, ''), about: plain(firstSentence(first)), text }
  })
}

const firstSentence = (line: string) =>
  /^.*?[.:](?=\s|$)/.exec(line)?.[0].replace(/:$/, '.') ?? line

/** Without signs of Markdown. */
const plain = (text: string) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('**', '')

const FENCE = /^```.*?^```$/gms
const LINK = /\[([^\]]+)\]\(([^)\s]+)\)/g

/** Leaves the words alone of links to what is not served. */
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
