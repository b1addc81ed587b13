// The market of an account item.
import type { Market } from '@openvenue/core/records'
import Type, { type Static } from 'typebox'
import { InstrumentType } from './field.ts'

/** Members that identify the market of an item. */
export const instrumentMembers = {
  instrument_id: Type.String({ description: '0x + engine (20 bytes) + market number (4 bytes).' }),
  instrument_name: Type.String(),
  instrument_type: InstrumentType,
  asset: Type.String({ description: 'The underlying.' }),
}

/** Returns the members that identify `market`. */
export const encodeInstrument = ({ id, name, type, asset }: Market) => ({
  instrument_id: id,
  instrument_name: name,
  instrument_type: type as Static<typeof InstrumentType>,
  asset,
})
