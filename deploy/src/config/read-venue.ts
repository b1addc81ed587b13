// Reads venue.json.
import { readFileSync } from 'node:fs'
import type { Network } from '@openvenue/core/networks'
import { checkShape } from './check-shape.ts'
import { parseTerms } from './parse-terms.ts'
import { VENUE_SCHEMA, type VenueFile } from './venue-schema.ts'
import { VenueFileInvalid, type VenueTerms } from './venue-terms.ts'

/** Returns the terms of the file at `path`; throws `VenueFileInvalid`, which names each member. */
export function readVenueFile(path: string, network: Network): VenueTerms {
  return parseVenue(parseJson(path), network)
}

/** Returns the terms of `value`, the content of a venue.json. */
export function parseVenue(value: unknown, network: Network): VenueTerms {
  const faults = checkShape(VENUE_SCHEMA, value)
  if (faults.length > 0) throw new VenueFileInvalid(faults, value)
  return parseTerms(value as VenueFile, network)
}

function parseJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const rule = `a readable JSON file (${(error as Error).message})`
    throw new VenueFileInvalid([{ path, rule }])
  }
}
