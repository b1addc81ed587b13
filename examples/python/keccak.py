"""Keccak-256, which Ethereum uses and hashlib lacks: its SHA3-256 pads in another way."""

MASK = (1 << 64) - 1
RATE = 136  # bytes


def _round_constants():
    """Returns the 24 constants of the rounds, bit by bit from a shift register."""
    constants, register = [], 1
    for _ in range(24):
        constant = 0
        for j in range(7):
            constant |= (register & 1) << ((1 << j) - 1)
            register = (register << 1) ^ ((register >> 7) * 0x171)
        constants.append(constant)
    return constants


ROUND_CONSTANTS = _round_constants()


def _rotate(word, bits):
    return ((word << bits) | (word >> (64 - bits))) & MASK


def _permute(a):
    for constant in ROUND_CONSTANTS:
        parity = [a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] for x in range(5)]
        for i in range(25):
            a[i] ^= parity[(i + 4) % 5] ^ _rotate(parity[(i + 1) % 5], 1)
        x, y, current = 1, 0, a[1]
        for t in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            i = x + 5 * y
            current, a[i] = a[i], _rotate(current, (t + 1) * (t + 2) // 2 % 64)
        for row in range(0, 25, 5):
            b = a[row : row + 5]
            for x in range(5):
                a[row + x] = b[x] ^ (~b[(x + 1) % 5] & MASK & b[(x + 2) % 5])
        a[0] ^= constant


def keccak256(data):
    """Returns the 32 bytes of the hash of `data`."""
    padded = bytearray(data) + bytes(RATE - len(data) % RATE)
    padded[len(data)] ^= 0x01
    padded[-1] ^= 0x80
    state = [0] * 25
    for start in range(0, len(padded), RATE):
        for i in range(RATE // 8):
            state[i] ^= int.from_bytes(padded[start + 8 * i : start + 8 * i + 8], "little")
        _permute(state)
    return b"".join(word.to_bytes(8, "little") for word in state[:4])
