// Chooses the content coding of an answer from Accept-Encoding (RFC 9110, section 12.5.3).
import { LRUCache } from 'lru-cache'

export type Coding = 'br' | 'gzip'

/** `refusesRaw`: the client wants a coding whatever the size, by `identity;q=0` or `*;q=0`. */
export type AcceptedCoding = Readonly<{ coding: Coding | undefined; refusesRaw: boolean }>

/** Real clients send shorter headers; longer ones are ignored, and the answer is raw. */
const HEADER_LENGTH_MAX = 512
/** Cached choices; browsers and libraries send a dozen headers between them. */
const CHOICES_MAX = 128

/** Best compression first. */
const CODINGS: readonly Coding[] = ['br', 'gzip']
const RAW: AcceptedCoding = { coding: undefined, refusesRaw: false }

const choices = new LRUCache<string, AcceptedCoding>({ max: CHOICES_MAX, memoMethod: chooseCoding })

/** Returns the available coding that a client prefers, br before gzip. */
export function acceptedCoding(header: string | undefined): AcceptedCoding {
  if (header === undefined || header.length > HEADER_LENGTH_MAX) return RAW
  return choices.memo(header)
}

function chooseCoding(header: string): AcceptedCoding {
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

/** Returns a coding and its quality, from 0 to 1; an unreadable one gets 0. */
function parseMember(text: string): readonly [string, number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const liked = weight === undefined ? 1 : Number(weight.slice(2))
  return [name === 'x-gzip' ? 'gzip' : name, liked >= 0 && liked <= 1 ? liked : 0]
}
