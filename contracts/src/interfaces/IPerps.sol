// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBook} from "./IBook.sol";
import {IERC5267} from "./IERC5267.sol";
import {ILedger} from "./ILedger.sol";
import {IMarkets} from "./IMarkets.sol";
import {IOracle} from "./IOracle.sol";
import {IOwned} from "./IOwned.sol";
import {IPerpsViews} from "./IPerpsViews.sol";
import {PerpsState} from "../PerpsState.sol";
import {ITrimming} from "./ITrimming.sol";

/// Limits and fees of a perpetual market. Values are quote raw, 18 decimals.
struct PerpParameters {
    uint128 minOrderValue;
    uint128 maxOrderValue;
    uint128 maxNotionalValue; // of an account's position
    uint64 maxOpenInterest; // lots
    uint16 maxLeverage; // whole number
    int32 makerFee; // millionths of the notional
    int32 takerFee;
}

/// The events and errors of a perpetual engine.
interface IPerpsEvents {
    event Listed(
        uint32 indexed market,
        bytes32 name,
        bytes32 asset,
        address collateral,
        uint256 priceStep,
        uint256 amountStep,
        PerpParameters parameters
    );
    event Changed(uint32 indexed market, PerpParameters parameters);
    /// Fees are quote raw, rounded up against the payer; negative is a rebate.
    event Filled(
        uint32 indexed market,
        uint40 maker,
        uint40 makerOrder,
        uint40 taker,
        uint40 takerOrder,
        uint24 tick,
        uint64 lots,
        int128 makerFee,
        int128 takerFee
    );
    /// 0 means the market's maximum.
    event LeverageSet(uint32 indexed market, uint40 indexed account, uint16 leverage);
    /// A poke that took a sample. From the second after it the mark is index + index * basis / 1e18
    /// (truncated towards zero), until the next one; `mark` is its value at the current index.
    /// `basis`, a multiple of 1e9, and `premium` have 18 decimals. The premium has a weight of
    /// `seconds_` in its hour.
    event Marked(
        uint32 indexed market, uint256 mark, int256 basis, int256 premium, uint256 seconds_
    );
    /// An hour that ended at `time` and accrued `rate` (per hour, 18 decimals) at price `mark`.
    /// From `time` on the funding index is cumulative + nextPerSecond * (t - time), quote raw per
    /// lot.
    event FundingSettled(
        uint32 indexed market,
        uint40 time,
        int256 rate,
        uint256 mark,
        int256 cumulative,
        int256 nextRate,
        int256 nextPerSecond
    );
    event ImpactValueSet(uint32 indexed market, uint256 value);
    /// Limits of insurance's position and loss in the market; its loss is counted from here on.
    event CoverSet(uint32 indexed market, uint256 maxNotional, uint16 lossBps);
    event IndexAgeMaxSet(uint32 indexed market, uint16 ageSeconds);
    /// The position of `winner` is to close against the loser's, unless a winner who ranks higher
    /// is nominated.
    event Nominated(uint32 indexed market, uint40 indexed loser, uint40 indexed winner);
    /// No collateral leaves until this loss is covered.
    event LossFlagged(uint32 indexed market, uint40 indexed account);
    event LossCleared(uint32 indexed market, uint40 indexed account);
    /// Unless the index changes or the owner revokes it, anyone may end the market from `endTime`
    /// on, for four days.
    event EndAnnounced(uint32 indexed market, uint256 endTime);
    event EndRevoked(uint32 indexed market);
    /// The market has ended permanently. Every position is worth `mark` and owes funding up to
    /// `fundingIndex`, quote raw per lot.
    event Ended(uint32 indexed market, uint256 mark, int256 fundingIndex);
    /// The next Placed and its fills close part of a position of `account` on the book by force. If
    /// nothing was filled, either Absorbed follows, or the order only dropped orders in the way.
    event Liquidating(uint32 indexed market, uint40 indexed account, uint40 order);
    /// A forced order has filled `lots`. `fee` leaves the account's collateral: fee / 2 (rounded
    /// down) goes to account `keeper`, the rest to the insurance account, all of it when `keeper`
    /// is 0.
    event Liquidated(
        uint32 indexed market, uint40 indexed account, uint64 lots, uint256 fee, uint40 keeper
    );
    /// The insurance account takes over `lots` of a position (negative: of a short) at `unit` of
    /// quote per lot, and `collateral` with them; a negative amount is what it pays in.
    event Absorbed(
        uint32 indexed market, uint40 indexed account, int64 lots, uint256 unit, int256 collateral
    );
    /// `lots` of the loser's position (negative: of a short) close against the winner's at `unit`
    /// of quote per lot, which may be negative. No fees.
    event Deleveraged(
        uint32 indexed market, uint40 indexed loser, uint40 indexed winner, int64 lots, int256 unit
    );

    error MarginTooLow(int256 equity, uint256 required);
    error OpenInterestAboveMaximum(uint256 lots, uint256 maximum);
    error NotionalAboveMaximum(uint256 notional, uint256 maximum);
    error ReduceOnlyWouldGrow(int64 position);
    error IndexStale(bytes32 asset, uint256 time);
    error LeverageOutOfRange(uint16 leverage, uint16 maximum);
    error PokeTooSoon(uint256 nextTime);
    /// The book lacks depth in a second in which it changed: a poke is possible from the next
    /// second on.
    error BookChanged(uint32 market);
    error TooManyMarkets();
    error AssetTooLong(bytes32 asset);
    error FeesOutOfRange(int32 makerFee, int32 takerFee);
    /// The taker fee in millionths times the maximum leverage. A taker pays at most a quarter of
    /// the initial margin as fee.
    error FeeTooHighForLeverage(uint256 product, uint256 maximum);
    /// The price step does not fit the asset's first index, which is `tick` steps.
    error FirstIndexOutOfRange(uint256 tick, uint256 minimum, uint256 maximum);
    /// `bound` is the nearest valid value.
    error LimitOutOfRange(uint256 limit, uint256 bound);
    /// The account's equity covers the margin, or it has no position in the market.
    error NotLiquidatable(uint40 account, int256 equity, uint256 maintenanceMargin);
    /// The pause after a slice lasts until `nextTime`.
    error LiquidationTooSoon(uint256 nextTime);
    /// The book has no order within the limit yet, which is widest from `openTime` on.
    error LimitOpening(uint256 openTime);
    /// Insurance may take no lots of the position: winners must.
    error InsuranceExhausted(int256 equity);
    /// Insurance can still take the whole position.
    error InsuranceSuffices(int256 equity);
    /// The account has no opposite position, none in profit, or is below its maintenance margin.
    error NotWinner(uint40 account, int64 lots, int256 profit);
    /// The nominated winner ranks at least as high.
    error NotBetterWinner(uint40 account, uint256 score, uint256 best);
    /// Insurance has no position, or the book offers no sufficient price.
    error NothingToUnwind(uint32 market);
    error NotNominated(uint40 loser, uint32 market);
    error NominationTooRecent(uint256 readyTime);
    /// No loss is flagged.
    error NoLoss();
    /// A flagged loss is not covered yet: no collateral leaves.
    error LossUncovered(uint40 account, uint32 market);
    error ClearTooSoon(uint256 clearTime);
    /// A price has just moved far: collateral can leave from `openTime` on.
    error PriceMoved(uint256 openTime);
    /// The position is reserved to pay for a loss: it can trade again after this second.
    error PositionFrozen(uint256 until);
    /// The account has a position, or has no debt.
    error NoDebt(uint40 account, int256 collateral);
    error IndexFresh(bytes32 asset, uint256 time);
    error EndNotAnnounced(uint32 market);
    error EndTooEarly(uint256 endTime);
    /// The market was not ended in time: the announcement has expired.
    error EndExpired(uint256 time);
    /// A price was reported, or the asset paused, after the announcement, which is therefore void.
    error EndVoid(uint32 market);
    /// Ended hours must be settled first: `settleHours`.
    error HoursUnsettled(uint32 market);
    error MarketEnded(uint32 market);
    error NotTighter(uint32 market);
    error NotEngine(address caller);
}

/// Closes positions by force and reduces resting orders. Liquidation implements it.
interface ILiquidation is IPerpsEvents, ITrimming {
    /// Cancels those of `orders` that rest and belong to an account whose equity is below its
    /// exposure margin, by `liquidationHealthOf`, so that they could not be filled. Anyone may
    /// call. Reverts with NotLiquidatable.
    function cancelLiquidatable(uint40 account, uint32 market, uint40[] calldata orders) external;

    /// Closes the position in `market`, or a slice of it, of an account whose equity is below its
    /// maintenance margin. Anyone may call; the formulas are at the head of Liquidation.sol. The
    /// index of `market` must be fresh; other positions on a stale index are valued as in
    /// `liquidationHealthOf`. `orders` are resting orders of the account in this market, which are
    /// cancelled first; numbers of others are skipped. Unlisted ones stay, and cannot hinder it.
    /// The more gas a call has, the more makers it meets, up to 100. Between two thirds of the
    /// margin and all of it, the book comes first, within a limit that opens for 30 s from the
    /// first call on; that call may only start the clock.
    function liquidate(uint40 account, uint32 market, uint40[] calldata orders) external;

    /// The health that decides on forced closes: like `healthOf`, but each position is valued at
    /// the best for its owner of mark and index, now and before this second; one on a stale index
    /// as if its mark were 50% better, without a margin requirement. An account is liquidatable
    /// when its equity is below the maintenance margin.
    function liquidationHealthOf(uint40 account) external view returns (PerpsState.Health memory);

    /// Stops withdrawals and transfers while an account with negative equity has a position that
    /// insurance may not take, or no position and a debt greater than insurance can pay, or while
    /// insurance itself is negative. Anyone may call; for a debt without a position `market` is any
    /// that has not ended. One loss is flagged at a time; another one replaces it once it is
    /// covered. Reverts with NotLiquidatable, InsuranceSuffices, NoLoss or MarketEnded.
    function flagLoss(uint40 account, uint32 market) external;

    /// Shows that the flagged loss is covered, and, called again 10 s later, releases collateral.
    /// Anyone may call. Reverts with NoLoss, LossUncovered, ClearTooSoon or IndexStale.
    function clearLoss() external;

    function flaggedLoss() external view returns (PerpsState.Loss memory);

    /// Nominates the winner whose position is to close against a loser's that insurance cannot
    /// take. Anyone may call. A winner has an opposite position in profit and at least its
    /// maintenance margin; only one with a higher score (profit over cost of the position, times
    /// the leverage of the account) replaces it. Nominations become void 120 s after the first one.
    /// The winner's position cannot trade until then, and the loss is flagged. Reverts with
    /// NotWinner, NotBetterWinner or InsuranceSuffices.
    function nominate(uint40 loser, uint40 winner, uint32 market) external;

    function nominationOf(uint40 loser, uint32 market)
        external
        view
        returns (PerpsState.Nomination memory);

    /// Closes a position that insurance cannot take against that of the nominated winner, up to the
    /// smaller size. Anyone may call, 10 s after the nomination, or 60 s after the first of those
    /// that it replaced. No lot costs the winner more than its profit. `orders` as in `liquidate`.
    /// Reverts with NotNominated or NominationTooRecent.
    function deleverage(uint40 loser, uint32 market, uint40[] calldata orders) external;
}

/// The part of a perpetual engine that Marks implements.
interface IPerpsMarks is IPerpsEvents {
    /// Samples the premium, moves the mark's basis from the next second on and settles the hours
    /// that have ended. Anyone may call, at most once per 60 seconds and market; sampling a market
    /// with open interest pays 0.02 from the fee account, as far as its collateral goes. Without a
    /// fresh index it only settles hours. On its way it cancels orders that can no longer trade
    /// (EXPIRED, REDUCE_ONLY_CAPPED, MARGIN); after 400 of them it ends without a sample, and the
    /// next call continues. Reverts with PokeTooSoon, BookChanged or MarketEnded.
    function poke(uint32 market) external;

    /// Sets the limits of insurance's position (quote raw, 18 decimals) and loss (parts of the fund
    /// in 1/10,000) in the market. Its position is also at most ten times the allowed loss. Resets
    /// the loss so far, so that the market may lose its full share again. Initially 20 % and the
    /// market's largest position. The guardian may only lower both, and the loss so far stays.
    function setCover(uint32 market, uint96 maxNotional, uint16 lossBps) external;

    /// Limits of insurance's position and loss in the market, and the loss of its trades there.
    function coverOf(uint32 market) external view returns (PerpsState.Cover memory);

    /// Closes insurance's position in `market`, as far as the book offers the mark or better: by a
    /// reduce-only order of account 1 that is no worse than the better of mark and index, now and
    /// before this second. Anyone may call; the reward from the fee account is 2 basis points of
    /// the closed value, at most 10 and half of the fees. Reverts with NothingToUnwind, IndexStale
    /// or MarketEnded.
    function unwind(uint32 market) external;

    /// Insurance pays the debt of an account without positions, rounded down to raw units, as far
    /// as its own equity stays at zero or above. Anyone may call. Reverts with NoDebt or
    /// InsuranceExhausted.
    function coverDebt(uint40 account) external;

    /// Announces that a market whose index is stale will end in three days. Only the owner. Reverts
    /// with IndexFresh or MarketEnded.
    function announceEnd(uint32 market) external;

    /// Revokes the announcement, unless the market has ended. Only the owner.
    function revokeEnd(uint32 market) external;

    /// Ends the positions of `accounts`: insurance takes each over at the mark at which the market
    /// ended, with no equity. Cancels `orders`, of any account. Skips accounts without a position.
    /// Anyone may call. The first call ends the market permanently, at its last mark: from three
    /// days after the announcement on, for four days, if the index is stale and nothing was
    /// reported for the asset since. Reverts with EndNotAnnounced, EndTooEarly, EndExpired,
    /// EndVoid, IndexFresh or HoursUnsettled.
    function endPositions(uint32 market, uint40[] calldata accounts, uint40[] calldata orders)
        external;
}

/// The part of a perpetual engine that PerpsAdmin implements.
interface IPerpsAdmin is IPerpsEvents, IMarkets, ILedger {
    /// Lists a market. `asset` is its name at the oracle, at most 12 bytes. priceStep * amountStep
    /// must be a multiple of 1e18. The index must be 100 to 1,048,575 price steps; for an asset
    /// without a price this applies to the first one, or the market never opens. `impactValue` is
    /// as for `setImpactValue`. Only the owner; at most 64 markets.
    function list(
        bytes32 name,
        bytes32 asset,
        uint256 priceStep,
        uint256 amountStep,
        uint128 impactValue,
        PerpParameters calldata parameters
    ) external returns (uint32 market);

    /// Changes limits and fees. The taker fee times the maximum leverage is at most 250,000. A
    /// lower maximum leverage raises the margins of open positions immediately. Only the owner.
    function change(uint32 market, PerpParameters calldata parameters) external;

    /// Like `change`, but the largest order value and the two caps may only fall, and everything
    /// else is unchanged. None of the three limits reduce-only orders, so every position can be
    /// closed. Only the guardian or the owner.
    function tighten(uint32 market, PerpParameters calldata parameters) external;

    /// Sets the value (18 decimals) whose average prices on both sides of the book a poke samples:
    /// at least 1,000 and 100 times the minimum value of an order. A poke reads at most 400 orders
    /// per side; if they are worth less, it samples their value. Only the owner.
    function setImpactValue(uint32 market, uint128 value) external;

    /// Sets the age in seconds beyond which the market's index is stale: 60 at first, from 10 to
    /// 43,200. On a stale index only reduce-only orders are accepted. At most 432,000 over the
    /// square of the market's maximum leverage. Only the owner.
    function setIndexAgeMax(uint32 market, uint16 ageSeconds) external;

    /// Sets the leverage that the initial margin of the caller's account assumes in `market`; 0
    /// means the market's maximum. Lowering it requires the higher initial margin.
    function setLeverage(uint32 market, uint16 leverage) external;

    /// Settles the hours of `market` that have ended, at most 24. Anyone may call.
    function settleHours(uint32 market) external;
}

/// Perpetual order books with cross margin in one collateral token, scaled to 18 decimals: the
/// complete interface at the address of Perps.
interface IPerps is IBook, IPerpsAdmin, ILiquidation, IPerpsMarks, IPerpsViews, IOwned, IERC5267 {
    function oracle() external view returns (IOracle);

    function collateral() external view returns (address);

    function marketCount() external view returns (uint32);

    function tokenCount() external view returns (uint32);

    function tokenAt(uint32 number) external view returns (address);

    function MARKETS_MAX() external view returns (uint256);

    function FILLS_MAX() external view returns (uint256);
}
