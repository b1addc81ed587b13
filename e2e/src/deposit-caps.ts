// Caps deposits as the owner of a devnet's contracts.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { encodeFunctionData, type Hex } from 'viem'
import { createChainClient } from './chain-client.ts'
import type { TestVenue } from './venue.ts'

const CAP_NONE = 2n ** 96n - 1n
const GAS = 200_000

/** Raw units of USDC; absent: no cap. */
type Caps = Readonly<{ total?: bigint; perAccount?: bigint }>

/** Caps deposits of USDC at the perpetual engine; resolves when the cap is on chain. */
export async function capDeposits({ devnet }: TestVenue, caps: Caps): Promise<void> {
  const { deployment, rpcUrl, wallets } = devnet
  const { total = CAP_NONE, perAccount = CAP_NONE } = caps
  const args = [deployment.tokens.USDC as Hex, total, perAccount] as const
  const data = encodeFunctionData({ abi: perpsAbi, functionName: 'setDepositCap', args })
  const from = wallets[ROLES.owner] ?? ''
  await createChainClient(rpcAt(rpcUrl)).send([{ from, to: deployment.perps, data, gas: GAS }])
}
