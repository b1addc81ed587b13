// Reads the events of an account from the database, to compare them with those of clients.
import { orderId } from '@openvenue/core/ids'
import type { Postgres } from '../servers/postgres.ts'
import { MARKET } from '../users/users.ts'
import type { StreamName } from './received-events.ts'

/** Blocks after `from`, up to `to`. */
export type Blocks = Readonly<{ from: number; to: number }>
type AccountOwner = Readonly<{ account: number; wallet: string }>

export class DatabaseEvents {
  readonly #database: Postgres
  readonly #owner: AccountOwner

  constructor(database: Postgres, owner: AccountOwner) {
    this.#database = database
    this.#owner = owner
  }

  async head(): Promise<number> {
    return Number(await this.#database.query('SELECT number FROM checkpoint', 'venue'))
  }

  /** Returns the ids of a stream's events in `blocks`. */
  async ids(stream: Exclude<StreamName, 'orders'>, { from, to }: Blocks): Promise<string[]> {
    const { account, wallet } = this.#owner
    const blocks = `block_number > ${from} AND block_number <= ${to}`
    const queries = {
      trades: `SELECT trades.id FROM trades JOIN markets ON markets.id = market WHERE name = '${MARKET}' AND ${blocks}`,
      fills: `SELECT id FROM fills WHERE account = ${account} AND ${blocks}`,
      notifications: `SELECT id FROM notifications WHERE wallet = '${wallet}' AND is_pushed AND ${blocks}`,
    }
    const text = `SELECT coalesce(json_agg(id), '[]')::text FROM (${queries[stream]}) AS ids`
    return JSON.parse(await this.#database.query(text, 'venue')) as string[]
  }

  /** Returns the current status of the orders placed in `blocks`, by id. */
  async orders({ from, to }: Blocks): Promise<ReadonlyMap<string, string>> {
    const text = `SELECT coalesce(json_agg(json_build_object('market', market, 'number', number,
      'ref', ref, 'status', status)), '[]')::text FROM orders
      WHERE account = ${this.#owner.account} AND block_number > ${from} AND block_number <= ${to}`
    type Row = Parameters<typeof orderId>[0] & Readonly<{ status: string }>
    const rows = JSON.parse(await this.#database.query(text, 'venue')) as Row[]
    const statusOf = ({ status }: Row) => (status === 'open' ? 'opened' : status)
    return new Map(rows.map((row) => [orderId(row), statusOf(row)]))
  }
}
