// A process to kill: `node die.ts <options as JSON> <mode> <seed>`. `blocks`: commits the blocks of
// the seed's scenario one by one, from the store's head. `midway`: stays inside a transaction.
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import { upsertArgs, upsertName } from '../src/db/tables.ts'
import { STATEMENTS } from '../src/feed/session-statements.ts'
import { openStore } from '../src/open.ts'
import { replay } from './replay.ts'

const [options = '{}', mode, seed] = process.argv.slice(2)
const store = await openStore(JSON.parse(options))

if (mode === 'midway') {
  const session = await store.db.session(() => {})
  await session?.prepare(STATEMENTS)
  await session?.transaction(async (tx) => {
    const stray = { market: 'stray', lastTick: 1, lastTradeSeconds: 1, openInterest: 1n }
    await tx.run([{ name: upsertName('ticker'), args: upsertArgs('ticker', [stray]) }])
    await tx.run([{ name: 'move_head', args: [999_999, 0, 999_999, '0xstray', '0xstray', 1] }])
    process.stdout.write('midway\n')
    await new Promise((resolve) => setTimeout(resolve, 60_000))
  })
}

const { head } = await store.writer.loadState()
const { blocks } = replay(randomScenario(Number(seed), 600, { actionsMax: 3 }))
for (const block of blocks.slice(head?.number ?? 0)) {
  await store.writer.commit([block], block.header.number - 10)
  process.stdout.write('.')
}
await store.close()
