// Encodes a WebSocket text frame (RFC 6455, section 5.2).

/** Last frame of a message, and text. */
const FINAL_TEXT = 0x81
/** Maximum length that fits in seven bits. */
const SHORT_MAX = 125
const LENGTH_16 = 126
const LENGTH_64 = 127
const UINT16_MAX = 0xffff

/**
 * Returns `text` as a server's frame, in one piece: recipients of the same text share its bytes, in
 * one write each. The buffer is not from a pool, because a pool would stay in memory until the
 * slowest client has read it.
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const head = length <= SHORT_MAX ? 2 : length <= UINT16_MAX ? 4 : 10
  const frame = Buffer.allocUnsafeSlow(head + length)
  frame[0] = FINAL_TEXT
  if (head === 2) frame[1] = length
  else if (head === 4) {
    frame[1] = LENGTH_16
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = LENGTH_64
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, head)
  return frame
}
