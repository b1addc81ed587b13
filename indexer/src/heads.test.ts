import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { within } from '@openvenue/store/test/waits'
import { FakeChain } from '../test/chain.ts'
import { type ServedChain, serveChain } from '../test/server.ts'
import { type ChainHeader, parseHeader } from './chain.ts'
import { HeadFeed, watchHeads } from './heads.ts'
import { connectRpc } from './rpc.ts'

const REACHED_MS_MAX = 10_000

describe('the feed of heads', () => {
  const parseHead = (chain: FakeChain) => parseHeader(chain.headMessage())

  test('the feed of heads returns only the newest of several heads', async () => {
    const chain = new FakeChain(1)
    const feed = new HeadFeed()
    feed.offer(parseHead(chain))
    chain.mine({ blocks: 1, actions: 1 })
    feed.offer(parseHead(chain))
    const head = await feed.next(undefined, new AbortController().signal)
    assert.equal(head.number, 2)
  })

  test('the feed of heads skips the known head', async () => {
    const chain = new FakeChain(1)
    const feed = new HeadFeed()
    feed.offer(parseHead(chain))
    const next = feed.next(chain.head.hash, new AbortController().signal)
    chain.mine({ blocks: 1, actions: 1 })
    feed.offer(parseHead(chain))
    assert.equal((await next).number, 2)
  })

  test('a head that is put back into the feed does not hide a newer one', async () => {
    const chain = new FakeChain(1)
    const feed = new HeadFeed()
    const { signal } = new AbortController()
    feed.offer(parseHead(chain))
    const old = await feed.next(undefined, signal)
    feed.putBack(old)
    assert.equal((await feed.next(undefined, signal)).hash, old.hash)
    chain.mine({ blocks: 1, actions: 1 })
    feed.offer(parseHead(chain))
    feed.putBack(old)
    assert.equal((await feed.next(undefined, signal)).number, 2)
  })

  test('the feed of heads ends the wait of its reader when it is stopped', async () => {
    const stopped = new AbortController()
    const next = new HeadFeed().next(undefined, stopped.signal)
    stopped.abort()
    await assert.rejects(next, { name: 'AbortError' })
  })
})

type WatchOptions = { hasSocket: boolean; pollMs: number; canSubscribe?: boolean }

describe('watching the head of a node', () => {
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  /** Watches a served chain; `next` waits for the head of number `number`. */
  const watch = async (chain: FakeChain, options: WatchOptions) => {
    const served: ServedChain = await serveChain(chain, options.canSubscribe)
    ends.push(served.close)
    const { rpc, close } = connectRpc({ url: served.url })
    const stopped = new AbortController()
    const seen: ChainHeader[] = []
    const errors: unknown[] = []
    let signal = () => {}
    const watching = watchHeads(
      {
        rpc,
        endpoint: 0,
        wsUrl: options.hasSocket ? served.wsUrl : undefined,
        pollMs: options.pollMs,
        onHead: (header) => {
          seen.push(header)
          signal()
        },
        onError: (error) => errors.push(error),
      },
      stopped.signal,
    )
    ends.push(async () => {
      stopped.abort()
      await watching
      close()
    })
    const reaches = (number: number) =>
      within(
        REACHED_MS_MAX,
        (async () => {
          while (seen.at(-1)?.number !== number) {
            await new Promise<void>((resolve) => {
              signal = resolve
            })
          }
        })(),
      )
    return { served, seen, errors, reaches }
  }

  test('the head watch polls when there is no subscription', async () => {
    const chain = new FakeChain(1)
    const { reaches } = await watch(chain, { hasSocket: false, pollMs: 5 })
    await reaches(1)
    chain.mine({ blocks: 3, actions: 1 })
    await reaches(4)
  })

  test('the head watch receives a block by subscription long before the next poll', async () => {
    const chain = new FakeChain(1)
    const { served, reaches } = await watch(chain, { hasSocket: true, pollMs: 60_000 })
    await reaches(1)
    await served.subscribed()
    chain.mine({ blocks: 1, actions: 1 })
    served.announce()
    await reaches(2)
  })

  test('the head watch continues to poll and reports an error when the socket is refused', async () => {
    const chain = new FakeChain(1)
    const { served, errors, reaches } = await watch(chain, { hasSocket: true, pollMs: 5 })
    await served.subscribed()
    served.refuseSockets()
    chain.mine({ blocks: 1, actions: 1 })
    await reaches(2)
    await until('an error is heard', () => errors.length > 0)
    chain.mine({ blocks: 1, actions: 1 })
    await reaches(3)
  })

  test('the head watch polls as often as without a socket when the node refuses to subscribe', async () => {
    const chain = new FakeChain(1)
    const options = { hasSocket: true, pollMs: 5, canSubscribe: false }
    const { errors, reaches } = await watch(chain, options)
    await until('an error is heard', () => errors.length > 0)
    assert.match(String(errors[0]), /refuses the subscription/)
    const startedMs = performance.now()
    for (let number = 2; number <= 6; number++) {
      chain.mine({ blocks: 1, actions: 1 })
      await reaches(number)
    }
    // With a subscription it would be polled every 2 s.
    assert.ok(performance.now() - startedMs < 6000)
  })
})
