// Findings of the doctor: one line for each check. No line contains a secret.
import { setTimeout as sleep } from 'node:timers/promises'

export type Finding = Readonly<{
  item: string
  isOk: boolean
  text: string
  /** Remedy; absent when the check passed. */
  advice?: string
}>

export type Check = () => Promise<readonly Finding[]>

export const ok = (item: string, text: string): Finding => ({ item, isOk: true, text })
export const bad = (item: string, text: string, advice: string): Finding => ({
  item,
  isOk: false,
  text,
  advice,
})

/** Variables whose text is secret, or may contain a secret. */
const SECRET = /(_KEY|_KEYS|_URL|_URLS|PASSWORD|SECRET|TOKEN)$/
/** Shorter texts would garble the output. */
const SECRET_CHARS_MIN = 5

/** Returns a function that removes the secrets of `env` from a text, and passwords of URLs. */
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

/** Runs `check` for at most `limitMs`: a timeout is a finding, too. */
export async function within(limitMs: number, item: string, check: Check) {
  const late = new AbortController()
  const silence = sleep(limitMs, undefined, { signal: late.signal }).then(() => [
    bad(item, `no answer in ${limitMs / 1000} s`, 'check whether it hangs or is firewalled'),
  ])
  const failed = (error: unknown) => [bad(item, messageOf(error), 'see docs/OPERATING.md')]
  try {
    return await Promise.race([check().catch(failed), silence])
  } finally {
    late.abort()
    silence.catch(() => undefined)
  }
}

/** Falls back to the code or the cause of an error without a message. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: string }
  const [first] = error instanceof AggregateError ? error.errors : []
  return error.message || code || (first === undefined ? error.name : messageOf(first))
}
