// Rates in the environment.
import { type Environment, invalid } from '@openvenue/runtime/environment'
import type { Rate } from '../http/limits.ts'

/** Parses the rate in an environment variable: `n/seconds`, `n/seconds+burst`, or `off`. */
export function parseRate(
  env: Environment,
  name: string,
  absent: Rate | undefined,
): Rate | undefined {
  const text = env[name]
  if (text === undefined || text === '') return absent
  if (text === 'off') return undefined
  const match = /^([1-9]\d{0,8})\/([1-9]\d{0,5})(?:\+(\d{1,9}))?$/.exec(text)
  if (match === null) throw invalid(name, 'n/seconds+burst, such as 600/60+100, or off', text)
  const [, points, seconds, burst = 0] = match
  return { points: Number(points), seconds: Number(seconds), burst: Number(burst) }
}
