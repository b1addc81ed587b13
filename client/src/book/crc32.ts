// Computes CRC32 (polynomial 0xEDB88320), as zlib does.

const TABLE = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** Returns the CRC32 of ASCII text. */
export function crc32(text: string): number {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++)
    crc = (TABLE[(crc ^ text.charCodeAt(i)) & 0xff] as number) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
