#!/usr/bin/env python3
"""Reads a venue's last trade from its chain, with nothing but Python's standard library.

    python3 last_trade.py [URL of the API]

GET /info says where the contracts stand, which node to ask, and where the ABIs are. The ABI gives
the topic of the event and the types of its fields; GET /markets/{instrument_id} gives the steps of
price and amount. It prints the trade as JSON, under the id that GET /markets/{id}/trades gives it.
"""

import json
import sys
import urllib.request
from decimal import Decimal

from bot import keccak256

BLOCKS, TIMEOUT_S = 1000, 10  # of one question to the node


def fetch(url, body=None):
    """Returns the JSON that `url` answers, to `body` where there is one."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", "accept": "application/json"}
    request = urllib.request.Request(url, data, headers)
    with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
        return json.load(answer)


def ask(node, method, *params):
    """Asks the node of the chain."""
    answer = fetch(node, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    if "error" in answer:
        raise SystemExit(f"{method}: {answer['error']['message']}")
    return answer["result"]


def type_text(field):
    """Returns the type of a field as signatures have it; a tuple is its components in brackets."""
    if not field["type"].startswith("tuple"):
        return field["type"]
    inner = ",".join(type_text(component) for component in field["components"])
    return f"({inner}){field['type'][len('tuple'):]}"


def topic(event):
    """Returns the first topic of the logs of an event: the hash of its signature."""
    signature = f"{event['name']}({','.join(type_text(field) for field in event['inputs'])})"
    return "0x" + keccak256(signature.encode()).hex()


def value(kind, word):
    """Returns what a word of 32 bytes says, of a type that fits into one."""
    if kind.startswith("int"):
        return int.from_bytes(word, "big", signed=True)
    if kind.startswith("uint"):
        return int.from_bytes(word, "big")
    if kind == "bool":
        return word[-1] == 1
    if kind == "address":
        return "0x" + word[12:].hex()
    if kind == "bytes32":
        return "0x" + word.hex()
    raise ValueError(f"{kind} takes more than a word")


def decode(event, log):
    """Returns the fields of a log by name: the indexed ones are topics, the others are data."""
    data = bytes.fromhex(log["data"][2:])
    words = iter(data[i : i + 32] for i in range(0, len(data), 32))
    topics = iter(bytes.fromhex(text[2:]) for text in log["topics"][1:])
    return {
        field["name"]: value(field["type"], next(topics if field["indexed"] else words))
        for field in event["inputs"]
    }


def last_log(node, engines, first_block):
    """Returns the newest log with one of the topics of `engines`, from the newest block back."""
    addresses = [contract["address"] for contract, _ in engines]
    topics = [topic(event) for _, event in engines]
    last = int(ask(node, "eth_blockNumber"), 16)
    while last >= first_block:
        first = max(first_block, last - BLOCKS + 1)
        question = {"address": addresses, "topics": [topics]}
        logs = ask(node, "eth_getLogs", {**question, "fromBlock": hex(first), "toBlock": hex(last)})
        if logs:
            return logs[-1]
        last = first - 1
    raise SystemExit("there was no trade yet")


def main(api):
    info = fetch(f"{api}/info")
    node = next(iter(info["network"]["rpc_urls"]), None)
    if node is None:
        raise SystemExit("the operator names no node of the chain that anybody may ask")
    contracts = [info["contracts"][name] for name in ("spot", "perps")]
    abis = [fetch(api + contract["abi_url"]) for contract in contracts]
    events = [next(item for item in abi if item.get("name") == "Filled") for abi in abis]
    engines = list(zip(contracts, events))
    log = last_log(node, engines, contracts[0]["from_block"] or 0)
    event = next(event for contract, event in engines if contract["address"] == log["address"])
    fill = decode(event, log)
    market = fetch(f"{api}/markets/{log['address']}{fill['market']:08x}")
    trade = {
        "trade_id": f"{int(log['blockNumber'], 16):012}-{int(log['logIndex'], 16):06}",
        "instrument_name": market["instrument_name"],
        "price": f"{(fill['tick'] * Decimal(market['price_step'])).normalize():f}",
        "amount": f"{(fill['lots'] * Decimal(market['amount_step'])).normalize():f}",
        "tx_hash": log["transactionHash"],
    }
    print(json.dumps(trade, indent=2))


if __name__ == "__main__":
    main((sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:3000").rstrip("/"))
