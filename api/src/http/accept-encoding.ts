// Chooses the content coding of an answer from Accept-Encoding (RFC 9110, section 12.5.3).
import { LRUCache } from 'lru-cache'

export type Coding = 'br' | 'gzip'

/** `refusesRaw`: the client wants a coding whatever the size, by `identity;q=0` or `*;q=0`. */
export type Accepted = Readonly<{ coding: Coding | undefined; refusesRaw: boolean }>

/** A longer header is no client's habit: it is not read, and the answer is raw. */
const HEADER_LENGTH_MAX = 512
/** Headers whose choice is remembered: browsers and libraries have a dozen between them. */
const CHOICES_MAX = 128

/** From the best compression down. */
const CODINGS: readonly Coding[] = ['br', 'gzip']
export const RAW: Accepted = { coding: undefined, refusesRaw: false }

const choices = new LRUCache<string, Accepted>({ max: CHOICES_MAX, memoMethod: chooseCoding })

/** Returns the coding that a client likes best of those there are, br before gzip. */
export function acceptedCoding(header: string | undefined): Accepted {
  if (header === undefined || header.length > HEADER_LENGTH_MAX) return RAW
  return choices.memo(header)
}

function chooseCoding(header: string): Accepted {
  const weights = new Map(header.toLowerCase().split(',').map(parseMember))
  const other = weights.get('*')
  const raw = weights.get('identity') ?? (other === 0 ? 0 : undefined)
  let coding: Coding | undefined
  let best = 0
  for (const name of CODINGS) {
    const weight = weights.get(name) ?? other ?? 0
    if (weight <= best) continue
    coding = name
    best = weight
  }
  if (raw !== undefined && raw > best) return RAW
  return { coding, refusesRaw: raw === 0 }
}

/** Returns a coding and how much it is liked, from 0 to 1; what cannot be read is not liked. */
function parseMember(text: string): readonly [string, number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const liked = weight === undefined ? 1 : Number(weight.slice(2))
  return [name === 'x-gzip' ? 'gzip' : name, liked >= 0 && liked <= 1 ? liked : 0]
}
