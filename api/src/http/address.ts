// Addresses in the forms that clients write.

/** True for an address in any case, checksummed or not. */
export const isAddress = (text: string) => /^0[xX][0-9a-fA-F]{40}$/.test(text)
