// Texts of files and actions of the tables.
export const fileLimit = (rows: string) =>
  `The file has the newest ${rows} rows: older ones are not included.`
export const fundingFileLimit = (rows: number) =>
  `The file has the newest ${rows} funding payments: older ones are not included.`
/** `id` is the start of the order's id. */
export const notCancelled = (id: string, reason: string) => `${id}… ${reason}`
export const noMark = (market: string) => `no mark price for ${market}`
