// The venue as an exchange of ccxt.
import { VenueWatches } from './watches.ts'

/** Named as ccxt names its exchanges. */
export class openvenue extends VenueWatches {}
