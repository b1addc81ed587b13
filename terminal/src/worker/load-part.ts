// Loads a part of the worker from the host of the page, which may be away.
import { ConnectionError } from 'openvenue'

/** Returns what `load` gives; that it does not come is no fault of the page, and may pass. */
export const loadPart = <Part>(load: () => Promise<Part>): Promise<Part> =>
  load().catch((cause: unknown) => {
    throw new ConnectionError('a part of the page could not be loaded', { cause })
  })
