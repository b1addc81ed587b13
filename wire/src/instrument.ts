// The market that an item of an account is about, as every such item names it.
import type { Market } from '@openvenue/core/records'
import Type, { type Static } from 'typebox'
import { InstrumentType } from './field.ts'

/** Members that name the market of an item. */
export const instrumentMembers = {
  instrument_id: Type.String({ description: '0x + engine (20 bytes) + market number (4 bytes).' }),
  instrument_name: Type.String(),
  instrument_type: InstrumentType,
  asset: Type.String({ description: 'The underlying.' }),
}

/** Returns the members that name `market`. */
export const encodeInstrument = ({ id, name, type, asset }: Market) => ({
  instrument_id: id,
  instrument_name: name,
  instrument_type: type as Static<typeof InstrumentType>,
  asset,
})
