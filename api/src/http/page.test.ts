import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pagination } from '@openvenue/wire/pagination'
import { Pagination as PaginationShape } from '@openvenue/wire/pagination'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { pageFromMemory } from './memory-page.ts'
import {
  exactly,
  inTwoReads,
  type ListName,
  type Page,
  type PageRequest,
  planScan,
  readPage,
  type Scan,
} from './page.ts'
import { Refusal } from './refusals.ts'

const SEED = Number(process.env.SEED ?? 1)

/** The n-th row of a chain; two share a second. */
type Row = Readonly<{ seconds: number; id: string; n: number }>
const makeRow = (n: number): Row => ({
  n,
  seconds: 1000 + Math.floor(n / 2),
  id: String(n).padStart(4, '0'),
})
const cursorPosition = ({ seconds, id }: Row) => ({ seconds, id })

/** A list that a chain appends to, and that a reorg may shorten. */
class Chain {
  rows: Row[] = []
  #rowCount = 0
  grow(count: number): void {
    for (let i = 0; i < count; i++) this.rows.push(makeRow(this.#rowCount++))
  }
  /** Takes back the newest rows: their replacements have other positions. */
  shrink(count: number): void {
    this.rows.splice(Math.max(0, this.rows.length - count))
  }
}

type ReadPage = (request: PageRequest, name: ListName, chain: Chain) => Promise<Page<Row>>

const fromDatabase: ReadPage = (request, name, chain) =>
  readPage(request, {
    name,
    cursorPosition,
    read: inTwoReads(async ({ after, isAscending, limit }: Scan) => {
      const beyond = (row: Row) =>
        after === undefined || (isAscending ? row.id > after.id : row.id < after.id)
      const rows = chain.rows.filter(beyond)
      return (isAscending ? rows : rows.reverse()).slice(0, limit)
    }, cursorPosition),
    count: async () => exactly(chain.rows.length),
    isFinal: () => false,
  })
const fromMemory: ReadPage = async (request, name, { rows }) =>
  pageFromMemory(request, name, { rows, cursorPosition })

const makeName = (isAscending: boolean): ListName => ({
  list: 'rows',
  isAscending,
  filter: ['0xa', null],
})

const pickNumbers = (page: Page<Row>) => page.rows.map(({ n }) => n)
const edges = ({ has_prev, has_next }: Pagination) => [has_prev, has_next]

/** Checks a page of any list against the rows around it. */
function checkPage({ rows, pagination }: Page<Row>, limit: number, list: readonly Row[]): void {
  assert.ok(Value.Check(PaginationShape, pagination))
  const [first, last] = [rows[0], rows.at(-1)]
  if (first !== undefined && last !== undefined) {
    const start = list.indexOf(first)
    assert.deepEqual(rows, list.slice(start, start + rows.length), 'rows stand side by side')
    assert.deepEqual(edges(pagination), [start > 0, start + rows.length < list.length])
  }
  assert.equal(pagination.next_cursor !== null, pagination.has_next)
  assert.equal(pagination.prev_cursor !== null, pagination.has_prev)
  assert.equal(pagination.limit, limit)
  assert.equal(pagination.total_count, list.length)
  assert.equal(pagination.total_pages, Math.ceil(list.length / limit))
}

for (const [where, read] of [
  ['the database', fromDatabase],
  ['memory', fromMemory],
] as const)
  describe(`pages of a list in ${where}`, () => {
    const makeChain = (length: number) => {
      const chain = new Chain()
      chain.grow(length)
      return chain
    }
    const showPage = (chain: Chain, request: PageRequest, isAscending = false) =>
      read(request, makeName(isAscending), chain)

    test('a list without rows has one page, without neighbours', async () => {
      for (const direction of ['next', 'prev'] as const)
        assert.deepEqual(await showPage(makeChain(0), { direction }), {
          rows: [],
          pagination: {
            next_cursor: null,
            prev_cursor: null,
            has_next: false,
            has_prev: false,
            limit: 50,
            total_count: 0,
            total_pages: 0,
          },
        })
    })

    test('the first page of 120 rows has the newest 50, a next page and 3 pages', async () => {
      const { rows, pagination } = await showPage(makeChain(120), {})
      assert.deepEqual([rows.length, rows[0]?.n, rows.at(-1)?.n], [50, 119, 70])
      assert.deepEqual(edges(pagination), [false, true])
      assert.deepEqual([pagination.total_count, pagination.total_pages], [120, 3])
    })

    test('an ascending list begins with the oldest', async () => {
      assert.deepEqual(pickNumbers(await showPage(makeChain(5), { limit: 2 }, true)), [0, 1])
    })

    test('a page as long as the list has no next page', async () => {
      const { pagination } = await showPage(makeChain(4), { limit: 4 })
      assert.deepEqual([...edges(pagination), pagination.total_pages], [false, false, 1])
    })

    test('an empty cursor is the first page', async () => {
      assert.deepEqual(pickNumbers(await showPage(makeChain(3), { limit: 2, cursor: '' })), [2, 1])
    })

    test('without a cursor, prev gives the last page', async () => {
      const { rows, pagination } = await showPage(makeChain(5), { limit: 2, direction: 'prev' })
      assert.deepEqual(
        rows.map(({ n }) => n),
        [1, 0],
      )
      assert.deepEqual(edges(pagination), [true, false])
    })

    test('the limit may change from page to page', async () => {
      const chain = makeChain(9)
      const { pagination } = await showPage(chain, { limit: 2 })
      const cursor = pagination.next_cursor ?? ''
      assert.deepEqual(pickNumbers(await showPage(chain, { limit: 4, cursor })), [6, 5, 4, 3])
    })

    test('a cursor still works when its row is gone', async () => {
      const chain = makeChain(6)
      const { pagination } = await showPage(chain, { limit: 2 })
      chain.shrink(3)
      const page = await showPage(chain, { limit: 2, cursor: pagination.next_cursor ?? '' })
      assert.deepEqual(pickNumbers(page), [2, 1])
      assert.deepEqual(edges(page.pagination), [false, true])
    })

    test('a page that a reorg emptied leads back to the rows that are left', async () => {
      const chain = makeChain(6)
      const { pagination } = await showPage(chain, { limit: 3 }, true)
      chain.shrink(4)
      const empty = await showPage(chain, { limit: 3, cursor: pagination.next_cursor ?? '' }, true)
      assert.deepEqual([pickNumbers(empty), edges(empty.pagination)], [[], [true, false]])
      const cursor = empty.pagination.prev_cursor ?? ''
      const back = await showPage(chain, { limit: 3, cursor, direction: 'prev' }, true)
      assert.deepEqual(
        [pickNumbers(back), edges(back.pagination)],
        [
          [0, 1],
          [false, false],
        ],
      )
    })

    test('a page beyond the last remaining row reports that nothing is left', async () => {
      const chain = makeChain(6)
      const { pagination } = await showPage(chain, { limit: 3 })
      chain.shrink(6)
      const page = await showPage(chain, { limit: 3, cursor: pagination.next_cursor ?? '' })
      assert.deepEqual([pickNumbers(page), edges(page.pagination)], [[], [false, false]])
    })

    const scenario = fc.record({
      length: fc.nat(30),
      limit: fc.integer({ min: 1, max: 7 }),
      isAscending: fc.boolean(),
      arrivals: fc.array(fc.nat(3), { minLength: 1, maxLength: 20 }),
    })

    test(`forward then back, every row comes once and in order while rows arrive (seed ${SEED})`, async () => {
      await fc.assert(
        fc.asyncProperty(scenario, async ({ length, limit, isAscending, arrivals }) => {
          const chain = makeChain(length)
          const initial = [...chain.rows]
          const listNow = () => (isAscending ? [...chain.rows] : chain.rows.toReversed())
          let turn = 0
          const scan = async (from: Page<Row>, direction: 'next' | 'prev') => {
            const pages = [from]
            for (let page = from; ; ) {
              const { pagination } = page
              const cursor = pagination[`${direction}_cursor`]
              if (cursor === null) return pages
              chain.grow(turn < 20 ? (arrivals[turn++ % arrivals.length] ?? 0) : 0)
              page = await showPage(chain, { limit, cursor, direction }, isAscending)
              checkPage(page, limit, listNow())
              pages.push(page)
            }
          }
          const first = await showPage(chain, { limit }, isAscending)
          checkPage(first, limit, listNow())
          const forward = await scan(first, 'next')
          const seen = forward.flatMap(pickNumbers)
          const there = (isAscending ? chain.rows : initial.toReversed()).map(({ n }) => n)
          assert.deepEqual(seen, there)
          const last = forward.at(-1) ?? first
          const back = await scan(last, 'prev')
          const all = back.toReversed().flatMap(pickNumbers)
          const upToLast = listNow().map(({ n }) => n)
          const end = last.rows.at(-1)?.n
          assert.deepEqual(
            all,
            end === undefined ? [] : upToLast.slice(0, upToLast.indexOf(end) + 1),
          )
        }),
        { seed: SEED, numRuns: 200 },
      )
    })

    test(`after any reorg a page reports its neighbours correctly (seed ${SEED})`, async () => {
      const steps = fc.array(
        fc.record({
          grow: fc.nat(4),
          shrink: fc.nat(6),
          direction: fc.constantFrom('next' as const, 'prev' as const),
        }),
        { maxLength: 25 },
      )
      await fc.assert(
        fc.asyncProperty(scenario, steps, async ({ length, limit, isAscending }, moves) => {
          const chain = makeChain(length)
          let page = await showPage(chain, { limit }, isAscending)
          for (const { grow, shrink, direction } of moves) {
            chain.shrink(shrink)
            chain.grow(grow)
            const cursor = page.pagination[`${direction}_cursor`] ?? ''
            page = await showPage(chain, { limit, cursor, direction }, isAscending)
            const list = isAscending ? [...chain.rows] : chain.rows.toReversed()
            checkPage(page, limit, list)
            const isAlone = page.rows.length === 0 && list.length > 0
            if (isAlone) assert.deepEqual(edges(page.pagination).filter(Boolean).length, 1)
          }
        }),
        { seed: SEED, numRuns: 200 },
      )
    })
  })

describe('what a page from the database reads', () => {
  const name = makeName(false)
  const pageWith = async (cursor: string, isFinal: boolean) => {
    const scans: Scan[] = []
    let counts = 0
    const rows = [3, 2, 1, 0].map(makeRow)
    const page = await readPage<Row>(
      { limit: 2, cursor },
      {
        name,
        cursorPosition,
        read: inTwoReads(async (scan) => {
          scans.push(scan)
          return scan.isAscending ? [] : rows.slice(0, scan.limit)
        }, cursorPosition),
        count: async () => {
          counts += 1
          return exactly(9)
        },
        isFinal: () => isFinal,
      },
    )
    return { page, scans, counts }
  }

  test('one row more than a page shows marks a next page', async () => {
    const { page, scans } = await pageWith('', true)
    assert.deepEqual(scans, [{ after: undefined, isAscending: false, limit: 3 }])
    assert.deepEqual([page.rows.length, page.pagination.has_next], [2, true])
  })

  test('a page does not look behind a row that no reorg can reach', async () => {
    const { page } = await pageWith('', true)
    const cursor = page.pagination.next_cursor ?? ''
    const settled = await pageWith(cursor, true)
    assert.deepEqual([settled.scans.length, settled.page.pagination.has_prev], [1, true])
    const open = await pageWith(cursor, false)
    assert.deepEqual([open.scans.length, open.page.pagination.has_prev], [2, false])
  })

  test('the rows of a first page that has all of them are not counted again', async () => {
    let counts = 0
    const { pagination } = await readPage<Row>(
      { limit: 2 },
      {
        name,
        cursorPosition,
        read: async () => ({ rows: [makeRow(1), makeRow(0)] }),
        count: async () => exactly(++counts),
        isFinal: () => true,
      },
    )
    assert.deepEqual([pagination.total_count, counts], [2, 0])
    assert.equal((await pageWith('', true)).counts, 1)
  })

  test('a count that is not exact is marked, and an exact one is not', async () => {
    const paged = (isExact: boolean) =>
      readPage<Row>(
        { limit: 2 },
        {
          name,
          cursorPosition,
          read: async () => ({ rows: [3, 2, 1].map(makeRow) }),
          count: async () => ({ rows: 20_000, isExact }),
          isFinal: () => true,
        },
      )
    const bounded = (await paged(false)).pagination
    assert.deepEqual([bounded.total_count, bounded.total_is_exact], [20_000, false])
    assert.equal('total_is_exact' in (await paged(true)).pagination, false)
  })
})

describe('a cursor', () => {
  const name: ListName = { list: 'fills', isAscending: false, filter: ['0xa', 'ETH', 0, 9] }
  const rows = [makeRow(0), makeRow(1)]
  const cursor =
    pageFromMemory({ limit: 1 }, name, { rows, cursorPosition }).pagination.next_cursor ?? ''
  const isRefused = (text: string, of: ListName = name) =>
    assert.throws(
      () => planScan({ cursor: text }, of),
      (error) =>
        error instanceof Refusal &&
        error.code === 'INVALID_CURSOR' &&
        error.options.details?.[0]?.field === 'cursor',
    )

  test('a cursor leads on from its row', () => {
    assert.deepEqual(planScan({ cursor, limit: 7 }, name), {
      after: cursorPosition(makeRow(1)),
      isAscending: false,
      limit: 8,
    })
    assert.equal(planScan({ cursor, direction: 'prev' }, name).isAscending, true)
  })

  for (const [what, other] of [
    ['list', { list: 'orders' }],
    ['order', { isAscending: true }],
    ['account', { filter: ['0xb', 'ETH', 0, 9] }],
    ['filter', { filter: ['0xa', 'BTC', 0, 9] }],
    ['range of time', { filter: ['0xa', 'ETH', 1, 9] }],
  ] as const)
    test(`a cursor of another ${what} is refused`, () => isRefused(cursor, { ...name, ...other }))

  const encodeParts = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const [print] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string]
  for (const [what, text] of [
    ['that is no base64', '%%%'],
    ['that is no JSON', Buffer.from('nonsense').toString('base64url')],
    ['with text after it', `${cursor}!`],
    ['cut short', cursor.slice(0, -2)],
    ['that is no list', encodeParts({ print })],
    ['that is null', encodeParts(null)],
    ['with a time that is no integer', encodeParts([print, 1.5, '0001'])],
    ['with a time that is text', encodeParts([print, '1', '0001'])],
    ['without an id', encodeParts([print, 1])],
    ['with an id that is no text', encodeParts([print, 1, 7])],
    ['with an id of other characters', encodeParts([print, 1, "a'\u0000"])],
    ['with a long id', encodeParts([print, 1, 'a'.repeat(151)])],
    ['with more than a place', encodeParts([print, 1, '0001', 2])],
    ['of another version', encodeParts(['AAAAAAAAAAA', 1, '0001'])],
  ] as const)
    test(`a cursor ${what} is refused`, () => isRefused(text))
})
