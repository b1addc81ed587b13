// Result of a check.
import { hasErrorCode } from '../../exit-codes.ts'

export type Finding = Readonly<{
  status: 'ok' | 'warn' | 'fail'
  check: string
  found: string
  advice?: string
}>

export const ok = (check: string, found: string): Finding => ({ status: 'ok', check, found })
export const warn = (check: string, found: string, advice: string): Finding => ({
  status: 'warn',
  check,
  found,
  advice,
})
export const fail = (check: string, found: string, advice: string): Finding => ({
  status: 'fail',
  check,
  found,
  advice,
})

/** Runs a check; an error of the check becomes a failed finding. */
export async function look(
  check: string,
  advice: string,
  run: () => Promise<Finding>,
): Promise<Finding> {
  try {
    return await run()
  } catch (error) {
    if (!hasErrorCode(error)) throw error
    return fail(check, (error as Error).message, advice)
  }
}
