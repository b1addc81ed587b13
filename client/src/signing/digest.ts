// Names what was signed: the digest of an order is its order_id.
import { hashTypedData } from 'viem'
import type { Hex, TypedData } from './typed-data.ts'

/** Returns the EIP-712 digest of a message: of an Order its `order_id`, before it is sent. */
export const digestOf = (data: TypedData): Hex =>
  hashTypedData(data as unknown as Parameters<typeof hashTypedData>[0])
