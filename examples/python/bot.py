#!/usr/bin/env python3
"""Trades at a venue with Python's standard library only (3.11 or newer).

    OPENVENUE_WALLET_KEY=0x… python3 bot.py [URL of the API]

Registers a signing key and an API key, lets the venue cancel, places an order that rests, follows
it over the socket and cancels it. GET /info describes all that is signed. It sends no transaction:
deposit USDC for perpetuals before, on the page or by `openvenue deposit 1000 USDC`, as its test
does by the client library. The curve is exact, but its timing depends on the key: sign for a wallet
that holds more than a test's money with eth-account or in hardware.
"""

import base64, hashlib, hmac, itertools, json, os, secrets, socket, ssl, struct, sys, time
import urllib.error, urllib.parse, urllib.request
from decimal import Decimal

TIMEOUT_S, DAY_S = 30, 24 * 3600
MARKET, AMOUNT = "ETH-PERP", Decimal("0.1")
DECIMALS = 18  # of prices and amounts of perpetuals

# Keccak-256. SHA3-256 of hashlib pads in another way.
MASK, RATE = (1 << 64) - 1, 136  # bits of a word; bytes
_rotate = lambda word, bits: ((word << bits) | (word >> (64 - bits))) & MASK


def _permute(a):
    register = 1  # its lowest bits are the constants of the rounds
    for _ in range(24):
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
        for j in range(7):
            a[0] ^= (register & 1) << ((1 << j) - 1)
            register = (register << 1) ^ ((register >> 7) * 0x171)


def keccak256(data):
    padded = bytearray(data) + bytes(RATE - len(data) % RATE)
    padded[len(data)] ^= 0x01
    padded[-1] ^= 0x80
    state = [0] * 25
    for start in range(0, len(padded), RATE):
        for i, (word,) in enumerate(struct.iter_unpack("<Q", padded[start : start + RATE])):
            state[i] ^= word
        _permute(state)
    return struct.pack("<4Q", *state[:4])


# secp256k1. Keys are whole numbers, points are (x, y), and None is the point at infinity.
P, N = 2**256 - 2**32 - 977, 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def _add(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and a[1] != b[1]:
        return None
    rise, run = (3 * a[0] ** 2, 2 * a[1]) if a == b else (b[1] - a[1], b[0] - a[0])
    slope = rise * pow(run, -1, P) % P
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def _multiply(point, times):
    total = None
    for bit in bin(times)[2:]:
        total = _add(total, total)
        total = _add(total, point) if bit == "1" else total
    return total


def address_of(key):
    x, y = _multiply(G, key)
    return "0x" + keccak256(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[12:].hex()


def _nonces(key, digest):
    """Yields the nonces of RFC 6979: one that comes twice would give the key away."""
    k, v = bytes(32), b"\x01" * 32
    seed = key.to_bytes(32, "big") + (int.from_bytes(digest, "big") % N).to_bytes(32, "big")
    updates = itertools.chain([b"\0" + seed, b"\x01" + seed], itertools.repeat(b"\0"))
    for step, data in enumerate(updates):
        k = hmac.digest(k, v + data, "sha256")
        v = hmac.digest(k, v, "sha256")
        if step > 0:
            v = hmac.digest(k, v, "sha256")
            yield int.from_bytes(v, "big")


def sign(key, digest):
    """Returns r, s and the parity of the point; s is the lower of the two that are valid."""
    for nonce in _nonces(key, digest):
        if 0 < nonce < N:
            r, y = _multiply(G, nonce)
            s = pow(nonce, -1, N) * (int.from_bytes(digest, "big") + r * key) % N
            if r < N and s != 0:
                return (r, s, y % 2) if s <= N // 2 else (r, N - s, 1 - y % 2)


# EIP-712, of messages without a struct in them: a venue has no others.
DOMAIN = dict(name="string", version="string", chainId="uint256", verifyingContract="address")


def _word(kind, value):
    if kind.endswith("[]"):
        return keccak256(b"".join(_word(kind[:-2], item) for item in value))
    if kind == "string":
        return keccak256(value.encode())
    if kind == "bool" and isinstance(value, bool):
        return value.to_bytes(32, "big")
    if kind.startswith("uint"):  # OverflowError when it is negative or too large
        return int(value).to_bytes(int(kind[4:]) // 8, "big").rjust(32, b"\0")
    data = bytes.fromhex(value.removeprefix("0x"))
    if len(data) != {"address": 20, "bytes32": 32}.get(kind):
        raise ValueError(f"{value!r} is not a {kind} that this program signs")
    return data.rjust(32, b"\0")


def hash_struct(name, kinds, values):
    text = f"{name}({','.join(f'{kind} {field}' for field, kind in kinds.items())})"
    words = [_word(kind, values[field]) for field, kind in kinds.items()]
    return keccak256(keccak256(text.encode()) + b"".join(words))


def typed_digest(typed, message):
    """Returns what is signed: `typed` has the domain, the types and the primary type."""
    domain, name = typed["domain"], typed["primaryType"]
    separator = hash_struct("EIP712Domain", {f: DOMAIN[f] for f in DOMAIN if f in domain}, domain)
    kinds = {field["name"]: field["type"] for field in typed["types"][name]}
    return keccak256(b"\x19\x01" + separator + hash_struct(name, kinds, message))


def sign_typed(key, typed, message):
    r, s, parity = sign(key, typed_digest(typed, message))
    return f"0x{r:064x}{s:064x}{27 + parity:02x}"


def fetch(url, body=None, headers={}, method=None):
    """Returns the JSON that `url` answers; ends the program with the API's reason if it refuses."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", **headers} if data else headers
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            return json.load(answer, parse_float=Decimal)
    except urllib.error.HTTPError as refusal:
        text = refusal.read().decode(errors="replace")
        raise SystemExit(f"{request.get_method()} {url}: {refusal.code} {text}") from None


def until(claim, look):
    end = time.monotonic() + TIMEOUT_S
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.25)
    raise SystemExit(f"not within {TIMEOUT_S} s: {claim}")


class Socket:
    """A WebSocket that carries JSON in text frames."""

    def __init__(self, api):
        url, nonce = urllib.parse.urlsplit(api), base64.b64encode(os.urandom(16)).decode()
        port = url.port or (443 if url.scheme == "https" else 80)
        self.link = socket.create_connection((url.hostname, port), TIMEOUT_S)
        if url.scheme == "https":
            tls = ssl.create_default_context()
            self.link = tls.wrap_socket(self.link, server_hostname=url.hostname)
        self.file = self.link.makefile("rb")
        head = [f"GET {url.path}/ws HTTP/1.1", f"Host: {url.netloc}", "Upgrade: websocket"]
        head += ["Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {nonce}"]
        self.link.sendall("\r\n".join([*head, "", ""]).encode())
        answer = b"".join(iter(self.file.readline, b"\r\n")).decode()
        proof = hashlib.sha1(f"{nonce}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()
        if " 101 " not in answer or base64.b64encode(proof).decode() not in answer:
            raise SystemExit(f"the socket is refused: {answer}")

    def write(self, opcode, data):
        size, mask = len(data), os.urandom(4)
        length = struct.pack("!B", 128 | size) if size < 126 else struct.pack("!BH", 254, size)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self.link.sendall(bytes([128 | opcode]) + length + mask + masked)

    def read(self, size):
        data = self.file.read(size)
        if len(data) < size:
            raise SystemExit("the socket has ended")
        return data

    def receive(self):
        """Returns the next message, and answers pings before it."""
        text = b""
        while True:
            first, size = self.read(2)
            if size > 125:
                size = int.from_bytes(self.read(2 if size == 126 else 8), "big")
            opcode, data = first & 15, self.read(size)
            if opcode == 8:
                raise SystemExit(f"the socket was closed: {data[2:].decode(errors='replace')}")
            if opcode == 9:
                self.write(10, data)
            if opcode < 3:
                text += data
                if first & 128:
                    return json.loads(text, parse_float=Decimal)

    def ask(self, op, data):
        self.write(1, json.dumps({"op": op, "id": op, "data": data}).encode())
        answer = next(message for message in iter(self.receive, None) if message.get("id") == op)
        if "error" in answer:
            raise SystemExit(f"{op}: {answer['error']}: {answer['data']['message']}")

    def follow(self, order_id, last):
        """Prints each state of the order until it is `last`."""
        for message in iter(self.receive, None):
            for order in message.get("data", {}).get("orders", []):
                if order["order_id"] == order_id:
                    print(f"{order['order_status']}: {order['filled']} of {order['amount']} filled")
                    if order["order_status"] == last:
                        return


def register(api, typed, wallet, key):
    """Returns the headers of a new API key, once the contract knows the signing key."""
    account, signer, expiry = address_of(wallet), address_of(key), int(time.time()) + 7 * DAY_S
    message = {"account": account, "key": signer, "expiry": expiry}
    body = {"account": account, "signing_key": signer, "expiry": expiry, "on_chain": True}
    body["account_signature"] = sign_typed(wallet, typed["api"]["Register"], message)
    body["signing_key_signature"] = sign_typed(key, typed["api"]["SignKey"], message)
    accounts = typed["accounts"]
    body["chain_account_signature"] = sign_typed(wallet, accounts["RegisterKey"], message)
    body["chain_signing_key_signature"] = sign_typed(key, accounts["AcceptKey"], message)
    issued = fetch(f"{api}/register", body)
    own = {"API-KEY": issued["api_key"], "API-SECRET": issued["api_secret"]}
    is_done = lambda: fetch(f"{api}/api-keys", headers=own)["on_chain"][0]["status"] == "done"
    until("the signing key is on the chain", is_done)
    return own


def let_venue_cancel(api, own, key):
    allow = fetch(f"{api}/account/cancellers", headers=own)["allow"]
    signature = sign_typed(key, allow["typed_data"], allow["typed_data"]["message"])
    fetch(f"{api}/account/cancellers", {"expiry": allow["expiry"], "signature": signature}, own)
    read = lambda: fetch(f"{api}/account/cancellers", headers=own)["cancellers"]
    until("the venue may cancel", lambda: any(canceller["is_venue"] for canceller in read()))


def sign_bid(typed, market, account, key):
    """Returns the body of an order to buy far below the mark: it does not trade, but rests."""
    step = Decimal(market["price_step"])
    price = Decimal(market["mark_price"]) * Decimal("0.9") // step * step
    salt, deadline = secrets.randbits(200), int(time.time()) + DAY_S
    signed = {"account": account, "market": int(market["instrument_id"][42:], 16), "isBuy": True}
    signed |= {"limitPrice": int(price.scaleb(DECIMALS)), "amount": int(AMOUNT.scaleb(DECIMALS))}
    signed |= {"timeInForce": 3, "salt": salt, "deadline": deadline, "goodTil": 0}  # 3: post only
    signed |= {"reduceOnly": False, "triggerKind": 0, "triggerPrice": 0, "maxFills": 0}
    signed |= {"replaces": "00" * 32, "replacesAmount": 0}
    body = {"instrument": market["instrument_name"], "maker": account, "is_buy": True}
    body |= {"limit_price": str(signed["limitPrice"]), "amount": str(signed["amount"])}
    body |= {"post_only": True, "salt": str(salt), "deadline": str(deadline)}
    print(f"buy {AMOUNT} {MARKET} at {price}")
    return body | {"signature": sign_typed(key, typed["perps"]["Order"], signed)}


def main(api, wallet):
    typed, key = fetch(f"{api}/info")["typed_data"], secrets.randbelow(N - 1) + 1
    print(f"account {address_of(wallet)}, signing key {address_of(key)}")
    own = register(api, typed, wallet, key)
    let_venue_cancel(api, own, key)
    print("registered, and the venue may cancel")
    stream = Socket(api)
    stream.ask("auth", {"key": own["API-KEY"], "secret": own["API-SECRET"]})
    stream.ask("subscribe", ["orders"])
    bid = sign_bid(typed, fetch(f"{api}/markets/{MARKET}"), address_of(wallet), key)
    order_id = fetch(f"{api}/orders", bid, own)["order_id"]
    stream.follow(order_id, "opened")
    fetch(f"{api}/orders/{order_id}", headers=own, method="DELETE")
    stream.follow(order_id, "cancelled")


if __name__ == "__main__":
    if "OPENVENUE_WALLET_KEY" not in os.environ:
        raise SystemExit("OPENVENUE_WALLET_KEY is the private key of a wallet, 0x and 64 digits")
    url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:3000"
    main(url.rstrip("/"), int(os.environ["OPENVENUE_WALLET_KEY"], 16))
