// What the venue promises of orders: the receipt of each.
import Type, { type Static } from 'typebox'
import { named, ns } from './field.ts'

/** Bytes of a word, and of an ECDSA signature, as lower-case hex. */
const Word = (description: string) => Type.String({ pattern: '^0x[0-9a-f]{64}$', description })
const Signature = (description: string) =>
  Type.String({ pattern: '^0x[0-9a-f]{130}$', description })

export const Receipt = named(
  'Receipt',
  {
    order_id: Word('What is promised: the EIP-712 digest of what was signed.'),
    received_ns: ns('When it was accepted; of an order that was held, when it was let go.'),
    seq: Type.Integer({
      minimum: 1,
      description: 'Its place among all that was accepted: a number of the ledger.',
    }),
    lane: Type.String({ description: 'Which of the lanes of GET /relay carries it.' }),
    include_by_block: Type.Integer({
      minimum: 0,
      description:
        'The last block in which it is on the chain, or refused. 0 while it is held: until its ' +
        'trigger is met, or its parent fills. The ledger then has the receipt of its promise.',
    }),
    signature: Signature('EIP-712 signature of Receipt by the receipt key of GET /relay.'),
  },
  'What the venue promises, signed: by when an order is on the chain, and in which place.',
)
export type Receipt = Static<typeof Receipt>
