// Names the error of a revert.
import { type Abi, decodeErrorResult, type Hex } from 'viem'

const CAUSES_MAX = 8
const HEX = /^0x([0-9a-f]{2})*$/i

/** Returns the name and arguments of a revert; undefined when `error` is not one. */
export function revertReason(error: unknown, errors: Abi): string | undefined {
  const causes = causesOf(error)
  const data = causes.map((cause) => cause.data).find((bytes): bytes is Hex => isData(bytes))
  if (data === undefined) {
    const reverted = causes.find(({ message = '' }) => /revert/i.test(message))
    return reverted === undefined ? undefined : (reverted.details ?? reverted.message)
  }
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: errors, data })
    return `${errorName}(${args.map(String).join(', ')})`
  } catch {
    return data
  }
}

type Cause = Readonly<{ data?: unknown; message?: string; details?: string; cause?: unknown }>

const isData = (data: unknown): data is Hex =>
  typeof data === 'string' && data.length > 2 && HEX.test(data)

function causesOf(error: unknown): readonly Cause[] {
  const causes: Cause[] = []
  let next = error as Cause | undefined
  while (next !== undefined && next !== null && causes.length < CAUSES_MAX) {
    causes.push(next)
    next = next.cause as Cause | undefined
  }
  return causes
}
