// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Lots, Tick} from "../ValueTypes.sol";

enum TimeInForce {
    GTC,
    IOC,
    FOK,
    POST_ONLY
}

enum Reason {
    USER,
    IOC_REMAINDER,
    FILL_LIMIT,
    SELF_TRADE,
    REDUCE_ONLY_CAPPED,
    MARGIN,
    EXPIRED,
    LIQUIDATION,
    KEY_REVOKED,
    PRICE_BAND,
    BELOW_MINIMUM
}

/// An unsigned order. Price = tick * priceStep, amount = lots * amountStep.
struct OrderRequest {
    uint32 market;
    bool buy;
    Tick tick;
    Lots lots;
    TimeInForce timeInForce;
    bool reduceOnly; // perpetuals only
    uint40 goodTil; // Unix seconds, 0 for none; the order may trade through that second
    uint16 maxFills; // maximum makers to meet; 0 and all above 100 mean 100
}

/// An order that a key has signed, in raw integers of the market's decimals. EIP-712 type, in the
/// domain {name of the venue, version "1", chainId, verifyingContract: the engine}: Order(address
/// account,uint32 market,bool isBuy,uint256 limitPrice,uint256 amount,uint8 timeInForce, bool
/// reduceOnly,uint8 triggerKind,uint256 triggerPrice,uint256 goodTil,uint8 maxFills,bytes32
/// replaces,uint256 replacesAmount,uint256 salt,uint256 deadline), without the line breaks.
struct SignedOrder {
    address account; // a wallet or a sub-account's address
    uint32 market;
    bool isBuy;
    uint256 limitPrice; // a multiple of the price step
    uint256 amount; // a multiple of the amount step
    uint8 timeInForce; // as TimeInForce
    bool reduceOnly;
    uint8 triggerKind; // 0 none, 1 mark at or above, 2 mark at or below triggerPrice
    uint256 triggerPrice;
    uint256 goodTil; // Unix seconds, 0 for none
    uint8 maxFills; // as in OrderRequest
    // A resting order to cancel in the same call: engine (20 bytes), market (4), number (8); or 0.
    bytes32 replaces;
    // Resting amount of that order when this one was signed; later reductions of it are deducted
    // from `amount`. 0 deducts nothing.
    uint256 replacesAmount;
    // Bit salt & 255 of word salt >> 8; spent once, so two orders that share it exclude each other.
    uint256 salt;
    uint256 deadline; // Unix seconds, the last in which it may be placed
}

/// Cancel(address account,uint32 market,bytes32[] orders,uint256 deadline), signed like an order.
struct SignedCancel {
    address account;
    uint32 market;
    bytes32[] orders; // ids: engine (20 bytes), market (4), number (8)
    uint256 deadline;
}

/// CancelAll(address account,uint32 market,uint256 salt,uint256 deadline), signed like an order.
struct SignedCancelAll {
    address account;
    uint32 market;
    uint256 salt;
    uint256 deadline;
}

/// Burn(address account,uint256 word,uint256 mask,uint256 deadline), signed like an order.
struct SignedBurn {
    address account;
    uint256 word;
    uint256 mask;
    uint256 deadline;
}

/// The orders of both engines: functions, events and errors. Every order gets a number and a Placed
/// event, takers too. For each order: Placed.lots = sum of Filled.lots + sum of Reduced.lots +
/// Cancelled.lots + resting.
interface IBook {
    event Placed(
        uint32 indexed market,
        uint40 indexed account,
        uint40 order,
        bool buy,
        uint24 tick,
        uint64 lots,
        TimeInForce timeInForce,
        bool reduceOnly,
        uint40 goodTil,
        bytes32 ref
    );
    /// The order has left the book with `lots` unfilled.
    event Cancelled(
        uint32 indexed market, uint40 indexed account, uint40 order, uint64 lots, Reason reason
    );
    /// The order keeps its queue position with `lots` fewer.
    event Reduced(uint32 indexed market, uint40 indexed account, uint40 order, uint64 lots);

    error MarketHalted(uint32 market);
    error TickOutOfRange(uint256 tick);
    error LotsZero();
    error OrderValueBelowMinimum(uint256 value, uint256 minimum);
    error OrderValueAboveMaximum(uint256 value, uint256 maximum);
    error PostOnlyWouldCross(uint24 tick, uint24 best);
    /// A signed order met only orders that it dropped, up to a limit: its salt is unspent.
    error NobodyMet();
    error FillOrKillUnfillable(uint64 lots, uint64 fillable);
    /// `earliest` is the nearest valid time: 5 seconds ahead for an order that may rest, else now.
    error GoodTilTooEarly(uint40 goodTil, uint256 earliest);
    /// An item of a batch was rejected with the error of this selector (0 without one). It concerns
    /// only the sender of the batch: anyone may send a signed order in a way that is rejected, so
    /// the order itself stays valid until its deadline.
    event Rejected(uint256 index, bytes32 indexed ref, bytes4 reason);
    /// Orders of these salts can no longer be placed.
    event SaltsBurnt(uint40 indexed account, uint256 word, uint256 mask);

    error DeadlinePassed(uint256 deadline, uint256 time);
    /// The signer is neither the account's wallet nor an active key of it.
    error SignerUnfit(address account, address signer);
    error SignatureMalformed();
    error SaltSpent(uint256 salt);
    error PriceOffStep(uint256 price, uint256 step);
    error AmountOffStep(uint256 amount, uint256 step);
    error AmountTooLarge(uint256 amount, uint256 maximum);
    error TimeInForceUnknown(uint8 timeInForce);
    error GoodTilTooLarge(uint256 goodTil);
    error TriggerUnknown(uint8 kind);
    error TriggerNotMet(uint8 kind, uint256 triggerPrice, uint256 mark);
    error LengthsDiffer(uint256 orders, uint256 signatures);
    error OrderUnknown(uint32 market, uint40 order);
    error NotOrderOwner(uint40 order, address caller);
    error NotCanceller(uint40 account, address caller);
    error ReduceTooMuch(uint64 lots, uint64 resting);

    /// Matches and rests an order for the caller's account: a wallet's own, or that of an active
    /// signing key. Returns its number. The taker gets the makers' prices. On the way, at most 100
    /// orders that cannot trade are dropped: expired ones, own ones, and reduce-only ones without a
    /// position. When these or its fills run out while the order still crosses, its rest is
    /// cancelled (FILL_LIMIT). The same happens at a perpetual market once matching has used
    /// 8,000,000 gas, regardless of the transaction's gas. FOK reverts unless all of it is filled;
    /// POST_ONLY reverts when it would meet an order that can trade. The order's value at its limit
    /// must be within the market's bounds; a reduce-only IOC or FOK order may be smaller. Lots left
    /// over from a fill or a reduce-only cut, of a maker or a taker, do not rest when their value
    /// is below the minimum (BELOW_MINIMUM). A good-til time of an order that may rest must be at
    /// least 5 seconds ahead.
    function place(OrderRequest calldata request) external returns (uint40 order);

    /// Cancels a resting order of the caller's account. Never halted.
    function cancel(uint32 market, uint40 order) external;

    /// Cancels each of the caller's `orders` that still rests and skips the others.
    function cancelAll(uint32 market, uint40[] calldata orders)
        external
        returns (uint256 cancelled);

    /// Cancels each of `orders` that still rests and is the account's, for a caller that the
    /// account allowed: see `allowCanceller` of IAccounts. Skips the others. Never halted.
    function cancelFor(uint32 market, uint40 account, uint40[] calldata orders)
        external
        returns (uint256 cancelled);

    /// Runs each of `calls` on this contract as the caller; all succeed or none does.
    function multicall(bytes[] calldata calls) external returns (bytes[] memory results);

    /* SIGNED */

    /// Places `order` for its account; anyone may send it: see `place`. The signer is the account's
    /// wallet or an active key of it, by ECDSA with a low s. Spends the salt. A trigger is checked
    /// against the current mark. An order given as `replaces` is cancelled first and must still
    /// rest; reductions of it below `replacesAmount` are deducted from the new one, which is
    /// cancelled (BELOW_MINIMUM, IOC_REMAINDER) if nothing is left. To try again after a rejection,
    /// sign the new order with the same salt, so that at most one of them is ever placed.
    function placeSigned(SignedOrder calldata order, bytes calldata signature)
        external
        returns (uint40 number);

    /// Places each of `orders`; a rejected one changes nothing and emits Rejected. Returns the
    /// numbers of the orders, 0 for a rejected one.
    function placeMany(SignedOrder[] calldata orders, bytes[] calldata signatures)
        external
        returns (uint40[] memory numbers);

    /// Cancels each of the listed orders that still rests and is the account's; skips the others.
    function cancelSigned(SignedCancel calldata message, bytes calldata signature)
        external
        returns (uint256 cancelled);

    /// Cancels those of `orders` that were placed before the message was first used. The sender
    /// lists the orders; the message may be used again for the orders it covers, until its
    /// deadline. Burning its salt before the first use revokes it.
    function cancelAllSigned(
        SignedCancelAll calldata message,
        uint40[] calldata orders,
        bytes calldata signature
    ) external returns (uint256 cancelled);

    /// Spends the salts of `mask` in `word` for the caller's account.
    function burn(uint256 word, uint256 mask) external;

    function burnSigned(SignedBurn calldata message, bytes calldata signature) external;

    /// The spent salts of `word`.
    function saltsOf(uint40 account, uint256 word) external view returns (uint256 spent);

    /// The EIP-712 domain separator of messages to this engine.
    function domainSeparator() external view returns (bytes32);
}
