// Computes digests of signed messages. The digest of an order is its order_id.
import { hashTypedData } from 'viem'
import { type Check, checkValue } from '../input.ts'
import type { Hex, TypedData } from './typed-data.ts'

/** Returns the EIP-712 digest of a message: for an Order, its `order_id` before it is sent. */
export function digestOf(data: TypedData): Hex {
  checkValue('data', data, isTypedData)
  return hashTypedData(data as unknown as Parameters<typeof hashTypedData>[0])
}

const isTypedData: Check = (value) => {
  const { types, primaryType, message } = (value ?? {}) as Partial<TypedData>
  const isWhole = types?.[primaryType ?? ''] !== undefined && typeof message === 'object'
  return isWhole ? undefined : 'typed data, such as `data` of orderToSign'
}
