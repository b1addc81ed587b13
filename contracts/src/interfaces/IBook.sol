// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

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
    PRICE_BAND
}

/// What a trader asks for. Price = tick * priceStep, amount = lots * amountStep.
struct OrderRequest {
    uint32 market;
    bool buy;
    uint24 tick;
    uint64 lots;
    TimeInForce timeInForce;
    bool reduceOnly; // perpetuals only
    uint40 goodTil; // Unix seconds, 0 for none; the order lives through that whole second
    uint16 maxFills; // steps of the matching loop; 0 and all above 100 mean 100
}

/// What both engines say and take. Every order gets a number and a Placed event, takers too.
/// For each order: Placed.lots = sum of Filled.lots + sum of Reduced.lots + Cancelled.lots + resting.
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
    event Cancelled(uint32 indexed market, uint40 indexed account, uint40 order, uint64 lots, Reason reason);
    /// The order keeps its place with `lots` fewer.
    event Reduced(uint32 indexed market, uint40 indexed account, uint40 order, uint64 lots);
    event Halted(uint32 indexed market, bool halted);

    error MarketUnknown(uint32 market);
    error MarketHalted(uint32 market);
    error TickOutOfRange(uint256 tick);
    error LotsZero();
    error OrderValueBelowMinimum(uint256 value, uint256 minimum);
    error OrderValueAboveMaximum(uint256 value, uint256 maximum);
    error PostOnlyWouldCross(uint24 tick, uint24 best);
    error FillOrKillUnfillable(uint64 lots, uint64 fillable);
    error GoodTilPassed(uint40 goodTil, uint256 time);
    error OrderUnknown(uint32 market, uint40 order);
    error NotOrderOwner(uint40 order, address caller);
    error ReduceTooMuch(uint64 lots, uint64 resting);
    error StepsIndivisible(uint256 priceStep, uint256 amountStep);
    error OrderValueBoundsUnfit(uint256 minimum, uint256 maximum);

    /// Matches and rests an order for the caller's account: a wallet's own, or that of a live signing
    /// key. Returns its number. The taker gets the makers' prices. An own order in the way is cancelled,
    /// an expired one dropped; each counts as a step. When the steps run out while the order still
    /// crosses, its rest is cancelled (FILL_LIMIT). FOK reverts unless all of it is filled; POST_ONLY
    /// reverts when a live order is in the way. The order's value at its limit must be within the
    /// market's bounds; a reduce-only IOC or FOK order may be smaller.
    function place(OrderRequest calldata request) external returns (uint40 order);

    /// Takes a resting order of the caller's account off the book. Never halted.
    function cancel(uint32 market, uint40 order) external;

    /// Cancels each of the caller's `orders` that still rests and passes over the others.
    function cancelAll(uint32 market, uint40[] calldata orders) external returns (uint256 cancelled);

    /// Shrinks a resting order by `lots`, fewer than it has; it keeps its place in the queue.
    /// The value that remains may be below the market's minimum. Never halted.
    function reduce(uint32 market, uint40 order, uint64 lots) external;

    /// Takes orders off the book whose good-til time has passed. Anyone may call.
    function sweep(uint32 market, uint40[] calldata orders) external;

    /// Stops or resumes new orders of a market; everything else goes on. Only the owner.
    function halt(uint32 market, bool halted) external;

    /// Runs each of `calls` on this contract as the caller; all succeed or none does.
    function multicall(bytes[] calldata calls) external returns (bytes[] memory results);
}
