// What the doctor finds: one line for each thing that it looked at. No line holds a secret.
import { setTimeout as sleep } from 'node:timers/promises'

export type Finding = Readonly<{
  what: string
  isOk: boolean
  says: string
  /** What to do about it; absent when it is well. */
  advice?: string
}>

export type Check = () => Promise<readonly Finding[]>

export const ok = (what: string, says: string): Finding => ({ what, isOk: true, says })
export const bad = (what: string, says: string, advice: string): Finding => ({
  what,
  isOk: false,
  says,
  advice,
})

/** Variables whose text is secret, or may hold something that is. */
const SECRET = /(_KEY|_KEYS|_URL|_URLS|PASSWORD|SECRET|TOKEN)$/
/** Shorter texts would take apart what is shown. */
const SECRET_CHARS_MIN = 5

/** Returns what takes every secret of `env` out of a text: whole values, and passwords of URLs. */
export function redactor(env: Readonly<Record<string, string | undefined>>) {
  const secrets = Object.entries(env)
    .filter(([name]) => SECRET.test(name))
    .flatMap(([, value = '']) => value.split(',').flatMap((part) => secretsOf(part.trim())))
    .filter((secret) => secret.length >= SECRET_CHARS_MIN)
    .sort((a, b) => b.length - a.length)
  return (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text)
}

function secretsOf(part: string): readonly string[] {
  const url = URL.parse(part)
  if (url === null) return [part]
  const path = url.pathname.split('/').filter((piece) => piece.length > 16)
  return [part, url.password, decodeURIComponent(url.password), ...path, url.search]
}

/** Runs `check` for at most `limitMs`: one that hangs is a finding too. */
export async function within(limitMs: number, what: string, check: Check) {
  const late = new AbortController()
  const silence = sleep(limitMs, undefined, { signal: late.signal }).then(() => [
    bad(what, `no answer in ${limitMs / 1000} s`, 'look whether it hangs, or the network drops it'),
  ])
  const failed = (error: unknown) => [bad(what, messageOf(error), 'see docs/OPERATING.md')]
  try {
    return await Promise.race([check().catch(failed), silence])
  } finally {
    late.abort()
    silence.catch(() => undefined)
  }
}

/** An error without words says them in its code or its cause. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: string }
  const [first] = error instanceof AggregateError ? error.errors : []
  return error.message || code || (first === undefined ? error.name : messageOf(first))
}
