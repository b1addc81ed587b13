// The venue as a ccxt exchange.
import { VenueWatches } from './watches.ts'

/** Named in ccxt's style. */
export class openvenue extends VenueWatches {}
