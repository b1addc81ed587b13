// A chain process to be killed: its blocks call a contract that counts them, and its state is saved
// repeatedly. It prints a JSON line when it is ready, one after each save, and one at the end.

import { quantity } from '@openvenue/runtime/node'
import { getContractAddress, type Hex } from 'viem'
import { startChain } from '../src/chain.ts'
import { Loop } from '../src/loop.ts'

const BLOCK_MS = 20
const SAVES = 3
const GENESIS_SECONDS = 1_700_000_000
/** Adds 1 to its first slot when called. */
const COUNTER = '0x6960005460010160005500600052600a6016f3'

const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

const chain = await startChain({
  dataDir: process.env.DATA_DIR ?? '',
  port: Number(process.env.ANVIL_PORT ?? 0),
  genesisSeconds: GENESIS_SECONDS,
  blockMs: BLOCK_MS,
  onError: () => {},
  onWarning: (warning) => print({ warning }),
})
let isStopping = false
process.on('SIGTERM', () => {
  isStopping = true
  void chain.stop().then(() => process.exit(0))
})
void chain.ended.then(() => isStopping || process.exit(1))
const { rpc } = chain
const [from] = (await rpc.call('eth_accounts')) as [Hex]
const to = getContractAddress({ from, nonce: 0n })
const send = (call: object) => rpc.call('eth_sendTransaction', { from, gas: '0x100000', ...call })

type Block = Readonly<{ number: Hex; hash: Hex; transactions: readonly Hex[] }>
const readBlock = async (at: string) => (await rpc.call('eth_getBlockByNumber', at, false)) as Block

/** Returns the number of calls in blocks, excluding the creation. No block is mined meanwhile. */
async function countCalls(): Promise<number> {
  const { number } = await readBlock('latest')
  let sent = 0
  for (let at = 1; at <= Number(number); at++)
    sent += (await readBlock(quantity(at))).transactions.length
  return sent - 1
}

async function save(): Promise<void> {
  const { number, hash } = await readBlock('latest')
  await chain.save()
  print({ saved: { number, hash } })
}

async function live(): Promise<void> {
  if (chain.isNew) {
    await send({ data: COUNTER })
    await chain.mine(Math.floor(Date.now() / 1_000))
  }
  const counted = Number(await rpc.call('eth_getStorageAt', to, '0x0', 'latest'))
  print({ url: chain.url, isNew: chain.isNew, counted, listed: await countCalls() })
  await chain.live()
  const calls = new Loop(
    async () => void (await send({ to })),
    () => 1,
    () => {},
  )
  calls.start()
  for (let saves = 0; saves < SAVES; saves++) await save()
  await chain.renew()
  await save()
  print({ done: true })
}

await live().catch((error: unknown) => {
  if (!isStopping) throw error
})
