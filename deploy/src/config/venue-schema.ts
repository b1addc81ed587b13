// Schema of venue.json, the file with an operator's terms for the venue on chain.
import Type, { type Static, type TObject, type TSchema } from 'typebox'

const ADDRESS = '^0x[0-9a-fA-F]{40}$'
const WORD = '^0x[0-9a-fA-F]{64}$'
/** Decimal text, since floating-point numbers cannot represent money exactly. */
const DECIMAL = '^(0|[1-9][0-9]*)(\\.[0-9]+)?$'
const SIGNED_DECIMAL = '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$'
/** Text of up to 32 bytes on chain, left-aligned. */
const NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$'
/** The oracle stores asset names in twelve bytes. */
const ASSET = '^[A-Z0-9][A-Z0-9._-]{0,11}$'
const DAY = 86_400
const LIST_MAX = 64

const strict = <T extends Record<string, TSchema>>(members: T): TObject<T> =>
  Type.Object(members, { additionalProperties: false })

const text = (pattern: string, rule: string) => Type.String({ pattern, description: rule })
const address = text(ADDRESS, 'an address: 0x and 40 hex digits')
const amount = text(DECIMAL, 'an amount above or at zero as decimal text, such as "0.01"')
const fee = text(SIGNED_DECIMAL, 'a share of the notional as decimal text, such as "0.0001"')
const name = text(NAME, '1 to 32 letters, digits, dots, dashes or underscores')
const asset = text(ASSET, '1 to 12 capital letters, digits, dots, dashes or underscores')
const word = text(WORD, '32 bytes: 0x and 64 hex digits')

const list = <T extends TSchema>(item: T, least = 0) =>
  Type.Array(item, { minItems: least, maxItems: LIST_MAX })
const whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })
const choice = <const W extends readonly string[]>(words: W) =>
  Type.Unsafe<W[number]>({ type: 'string', enum: [...words] })

const Outflow = strict({ share: amount, small: amount })
const DepositCap = strict({ total: amount, perAccount: amount })

const Spot = strict({
  name,
  base: name,
  quote: name,
  priceStep: amount,
  amountStep: amount,
  minOrderValue: amount,
  maxOrderValue: amount,
})

const Perpetual = strict({
  name,
  asset,
  priceStep: amount,
  amountStep: amount,
  minOrderValue: amount,
  maxOrderValue: amount,
  maxPositionValue: amount,
  maxOpenInterest: amount,
  impactValue: amount,
  maxLeverage: whole(1, 50),
  makerFee: fee,
  takerFee: fee,
  indexAgeMaxSeconds: whole(10, 12 * 3600),
  insurance: Type.Optional(strict({ maxPositionValue: amount, lossShare: amount })),
})

const Source = strict({
  source: choice(['pusher', 'pyth', 'chainlink']),
  id: Type.Optional(word),
  feed: Type.Optional(address),
})

export const VENUE_SCHEMA = strict({
  domainName: Type.Optional(text('^.{1,100}$', '1 to 100 characters')),
  salt: Type.Optional(name),
  tokens: Type.Record(
    Type.String(),
    strict({ address: Type.Optional(address), decimals: whole(0, 18) }),
  ),
  collateral: name,
  governance: strict({
    delaySeconds: whole(DAY, 30 * DAY),
    proposers: list(address, 1),
    executors: list(Type.Union([Type.Literal('anybody'), address]), 1),
    cancellers: list(address),
  }),
  guardian: address,
  oracle: strict({
    pusher: address,
    pyth: Type.Optional(address),
    chainlink: Type.Optional(strict({ sequencer: Type.Optional(address) })),
    assets: Type.Record(Type.String(), Source),
  }),
  spot: list(Spot),
  perpetuals: list(Perpetual),
  outflow: strict({
    spot: Type.Record(Type.String(), Outflow),
    perpetuals: Type.Optional(Outflow),
  }),
  depositCap: Type.Optional(
    strict({
      spot: Type.Record(Type.String(), DepositCap),
      perpetuals: Type.Optional(DepositCap),
    }),
  ),
})

export type VenueFile = Static<typeof VENUE_SCHEMA>
export type SpotMarket = VenueFile['spot'][number]
export type PerpetualMarket = VenueFile['perpetuals'][number]
