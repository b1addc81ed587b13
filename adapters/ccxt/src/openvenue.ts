// The venue as an exchange of ccxt.
import { VenueOrders } from './orders.ts'

/** Named as ccxt names its exchanges. */
export class openvenue extends VenueOrders {}
