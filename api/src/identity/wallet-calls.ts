// Bounds what the code of wallets may cost us: anybody deploys one, and has us run it unasked.
import type { EthCall } from './eth-call.ts'

/**
 * Gas of one check of a wallet's signature. Passkeys that are verified in Solidity and a proxy that
 * is deployed first (EIP-6492) take less than a fifth of it.
 */
export const WALLET_GAS_MAX = 5_000_000
/** Calls of wallets' code at a time, of one API node. */
export const WALLET_CALLS_MAX = 8

/** Returns `call`, which fails at once while `WALLET_CALLS_MAX` are under way. */
export function boundedCalls(call: EthCall): EthCall {
  let running = 0
  return async (...args) => {
    if (running >= WALLET_CALLS_MAX) throw new Error('too many wallets are asked at once')
    running += 1
    try {
      return await call(...args)
    } finally {
      running -= 1
    }
  }
}

/** Returns gas as nodes take it. */
export const gasText = (gas: number): string => `0x${gas.toString(16)}`
