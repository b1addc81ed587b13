// Bounds the cost of wallet code, which anyone can deploy and have us run.
import type { EthCall } from './eth-call.ts'

/**
 * Gas of one check of a wallet's signature. Passkeys verified in Solidity, with a proxy deployed
 * first (EIP-6492), take less than a fifth of it.
 */
export const WALLET_GAS_MAX = 5_000_000
/** Concurrent calls of wallet code per API node. */
export const WALLET_CALLS_MAX = 8

/** Returns `call`, which fails at once while `WALLET_CALLS_MAX` calls are pending. */
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

/** Returns gas in the JSON-RPC form. */
export const gasText = (gas: number): string => `0x${gas.toString(16)}`
