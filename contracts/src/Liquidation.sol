// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/*
Section 9 of the arithmetic at the head of Perps.sol: an account below its maintenance margin.

E < M, with E = equity and M = maintenance margin of the account, both before, and m the part of M
that is the position's. With mk = markPerLot and L = |lots|. A position whose index is stale counts
here with mk + mk / 2 per lot for a long, mk - mk / 2 for a short, and 0 of M. E < M, and where it
is asked E < 2/3 M, must hold with the best price for each position of four: mark and index, now and
before this second (liquidationHealthOf). The index of the position itself must be fresh; hours that
have ended are settled in all markets of the account. The orders that the caller names are cancelled
first (reason LIQUIDATION); so may those of an account with E < X, where X is M with the exposure of
section 7 in place of the lots.

kept(n) = ceilDiv(E * n, M)              the equity at which n of M has the ratio of before
gone(c) = E - kept(M - m + ceilDiv((L - c) * mk, 2 * maxLeverage))     leaves with c of the lots

Slice         L * mk <= 100,000: all lots. Above: ceilDiv(L, 5), less what of a slice was closed in
              the last 30 s. sliceClosed counts it in parts of 2^24 - 1, rounded up; when it is
              whole, nothing closes until 30 s after the last part.
On the book   while E >= 2/3 M: a reduce-only IOC order for the slice, announced by Liquidating, of
              at most 100 fills, and no more after the one that begins with less than 4,000,000
              gas. Its limit is no worse than what keeps E / M, taker fee included, and within
              0.25% of the mark; it opens to 2% in the 30 s from the first such call. After 60 s
              without a call that starts again. Its Filled are like any other. Then
                  fee = min(filled * mk / 100, E' - kept(M')), not below 0
              with E' and M' after the fills. Liquidated carries it: the account pays fee, account
              `keeper` gets fee / 2, insurance (account 1) fee - fee / 2.
Absorbed      all lots when E < 2/3 M, or the slice when the book has nothing within 2%: at
              unit = mk the account sells c lots (section 4, -c of a long) and insurance buys them;
              then collateral = gone(c) goes from the account to insurance, or comes back when
              negative. c is at most the room below; refused at 0. Insurance, whose equity is I
              afterwards, pays the caller, by Transferred, cut to raw units of the token:
                  min(I, 10 * E18, max(gone(c) / 2, fee(c))), where
                  fee(c) = c * mk * min(200, (makerFee + takerFee) / 2) / 10**6
Room          that insurance, of equity I and margin M1 before, with l lots here, has in a market
              whose cover is maxNotional and b = lossBps / 10**4:
                  cost = paid - worth; worth: of its position, section 7; paid: what its absorbed,
                      unwound and deleveraged lots have taken from its collateral since CoverSet;
                      where that is negative and the position closed, 0
                  left = (I + max(cost, 0)) * b - cost
                  o = min(L, |l|) when the lots close its position; else 0
                  grow = min(min(maxNotional, 10 * I * b) / mk - (o == 0 ? |l| : 0),
                             (I + gone(L) * o / L - (M1 - margin of o lots)) * L / (m - gone(L)))
                  room = min(L, o + max(grow, 0))
              grow is 0 when left <= 0. Where gone(L) < 0, room is also at most
              min(left, I) * L / -gone(L). A room below L / 20 is none.
Deleveraged   the L - room lots that insurance may not take, when E < 2/3 M; all of insurance's own
              when I < 0 or left < 0. c of them (`lots` has the sign s of the loser's position)
              change hands as in section 4 at `unit`: the loser trades -lots, the winner lots; c is
              at most what the winner has.
              The winner's account has E'' >= M'' and E'' > 0 by the same measure; its position of
              h lots is opposite, with a profit p > 0 (section 7):
                  away = min(ceilDiv(-gone(c), c), p / h,
                             (E'' - (M'' - what c lots need of it)) / c)
                  unit = mk + s * away
                  score = 1 + min(p * E18 / |quote|, 2**120 - 1)
                            * min(N'' * E18 / E'', 2**120 - 1) / E18
                          + (20 * h >= L ? 2**250 : 0)
              Insurance's own I and left are at the best prices of liquidationHealthOf; where that I is
              0 or more, it gives away nothing: ceilDiv(-gone(c), c) is |best price - mk| then.
              N'' is the notional of the winner's fresh positions. Nominated names the winner: one
              with a higher score replaces another at once. A nomination may be carried out 10 s
              after it was made, or 60 s after the first of those that it replaced; 120 s after
              the first it is void. The fee account pays the caller min(fee(c), 10 * E18), as far
              as its equity exceeds its initial margin.
Debts         of an account without positions: insurance pays them by Transferred, as far as its
              equity goes.
Ended         three days after EndAnnounced, unless something happened to the index: Ended fixes
              mk and F for good, and each position is Absorbed at unit = mk, with collateral = 0.
*/

import {Book} from "./Book.sol";
import {Deleveraging} from "./Deleveraging.sol";
import {Distressed} from "./Distressed.sol";
import {Domain} from "./Domain.sol";
import {Engine} from "./Engine.sol";
import {Marks} from "./Marks.sol";
import {PerpsState} from "./PerpsState.sol";
import {Positions} from "./Positions.sol";
import {Ticks} from "./Ticks.sol";
import {Trimming} from "./Trimming.sol";
import {NO_ACCOUNT, AccountId, Lots, Tick} from "./ValueTypes.sol";
import {ILiquidation} from "./interfaces/IPerps.sol";

/// Closes positions of accounts below their maintenance margin, with the formulas above. Nothing
/// here lowers an account's ratio of equity to maintenance margin or makes a position larger.
/// PerpsAdmin delegates unknown functions to this contract, so it acts on the storage of Perps.
contract Liquidation is Deleveraging, Trimming, Domain {
    using Book for Book.Order;
    using Positions for Positions.Position;

    uint256 private constant SLICE_NOTIONAL = 100_000e18; // larger positions are closed in slices
    uint256 private constant SLICE_DIVISOR = 5; // 20% of the position
    uint256 private constant SLICE_WHOLE = type(uint24).max; // Holding.sliceClosed of a whole slice
    uint256 private constant PAUSE_SECONDS = 30; // after a slice
    /// Maximum distance of a forced order from the mark: a quarter of a percent when the account is
    /// first seen below its margin, and 2% after 30 s. A sole bidder therefore need not outbid
    /// anyone but has to wait, which gives others time to bid.
    uint256 private constant SLIPPAGE_FIRST = 2_500; // millionths
    uint256 private constant SLIPPAGE_LAST = 20_000;
    uint256 private constant OPENING_SECONDS = 30;
    /// An account not seen below for this long starts again.
    uint256 private constant SEEN_SECONDS = 60;
    uint256 private constant FEE_DIVISOR = 100; // 1% of the notional
    // In quote raw per lot; more than the rounding of the fees of all fills.
    uint256 private constant ROUNDING = 100;

    address private immutable MARKS;

    /// The accounts, the oracle and the collateral are those of `marks`.
    constructor(Marks marks)
        PerpsState(marks.oracle(), marks.collateral())
        Engine(marks.accounts(), address(this))
    {
        MARKS = address(marks);
    }

    fallback() external {
        _delegateTo(MARKS);
    }

    /// @inheritdoc ILiquidation
    function liquidationHealthOf(uint40 account) external view returns (Health memory) {
        return _favouredHealth(AccountId.wrap(account));
    }

    /* ENTRY */

    /// @inheritdoc ILiquidation
    function cancelLiquidatable(uint40 account, uint32 market, uint40[] calldata orders)
        external
        nonReentrant
    {
        _cancelBelow(AccountId.wrap(account), market, orders);
    }

    function _cancelBelow(AccountId account, uint32 market, uint40[] calldata orders) private {
        _settleAll(account);
        Health memory health = _favouredHealth(account);
        require(
            account != INSURANCE_ACCOUNT && _isBelow(health),
            NotLiquidatable(AccountId.unwrap(account), health.equity, health.exposureMargin)
        );
        _cancelNamed(account, market, orders);
    }

    /// @inheritdoc ILiquidation
    function liquidate(uint40 account, uint32 market, uint40[] calldata orders)
        external
        nonReentrant
    {
        _liquidate(AccountId.wrap(account), market, orders);
    }

    function _liquidate(AccountId account, uint32 market, uint40[] calldata orders) private {
        Distress memory distress = _distressOf(account, market);
        _requireUnhealthy(account, distress.favoured);
        _cancelNamed(account, market, orders);
        uint256 lots = Positions.abs(distress.lots);
        if (!_isFarBelow(distress.favoured)) {
            // Equity is negative only at this second's price: the next second decides.
            require(distress.health.equity > 0, LimitOpening(block.timestamp + 1));
            if (lots * distress.quote.markPerLot > SLICE_NOTIONAL) {
                lots = _startSlice(distress, lots);
            }
            (uint256 openedTime, bool starts) = _openedTime(account);
            (uint256 filled, bool more) = _closeOnBook(distress, lots, openedTime);
            if (filled != 0 || more || starts) return;
            uint256 openTime = openedTime + OPENING_SECONDS;
            require(block.timestamp >= openTime, LimitOpening(openTime));
        }
        _absorb(distress, lots);
    }

    /// The insurance account is never liquidated, only deleveraged.
    function _requireUnhealthy(AccountId account, Health memory health) private pure {
        require(
            account != INSURANCE_ACCOUNT && health.equity < int256(health.maintenanceMargin),
            NotLiquidatable(AccountId.unwrap(account), health.equity, health.maintenanceMargin)
        );
    }

    /* ON THE BOOK */

    /// The lots that may still close in the current slice. A partly closed slice continues, so that
    /// a fill of a few lots gains no pause; 30 s after its last part a new slice begins.
    function _startSlice(Distress memory distress, uint256 lots) private view returns (uint256) {
        Holding storage holding = _holdings[distress.account];
        uint256 nextTime = holding.partlyLiquidatedAt + PAUSE_SECONDS;
        uint256 closed = block.timestamp < nextTime ? holding.sliceClosed : 0;
        require(closed < SLICE_WHOLE, LiquidationTooSoon(nextTime));
        distress.slice = Positions.divUp(lots, SLICE_DIVISOR);
        return Positions.divUp(distress.slice * (SLICE_WHOLE - closed), SLICE_WHOLE);
    }

    /// Adds closed lots to the slice, if there is one.
    function _countSlice(Distress memory distress, uint256 lots) private {
        if (distress.slice == 0) return;
        Holding storage holding = _holdings[distress.account];
        bool runs = block.timestamp < holding.partlyLiquidatedAt + PAUSE_SECONDS;
        uint256 closed =
            Positions.divUp(lots * SLICE_WHOLE, distress.slice) + (runs ? holding.sliceClosed : 0);
        holding.sliceClosed = uint24(closed < SLICE_WHOLE ? closed : SLICE_WHOLE);
        holding.partlyLiquidatedAt = uint40(block.timestamp);
    }

    /// The time since which the account has been below its maintenance margin, as far as calls have
    /// shown; `starts`: this is the first.
    function _openedTime(AccountId account) private returns (uint256, bool starts) {
        Sighting memory sighting = _sightings[account];
        starts = block.timestamp > sighting.lastTime + SEEN_SECONDS;
        if (starts) sighting.firstTime = uint40(block.timestamp);
        sighting.lastTime = uint40(block.timestamp);
        _sightings[account] = sighting;
        return (sighting.firstTime, starts);
    }

    /// Closes up to `lots` of the position on the book, at prices within the limit. `more`: orders
    /// within the limit remain behind the dropped ones.
    function _closeOnBook(Distress memory distress, uint256 lots, uint256 openedTime)
        private
        returns (uint256 filled, bool more)
    {
        uint32 market = distress.market;
        bool buy = distress.lots < 0;
        Tick tick = _limitOf(distress, buy, openedTime);
        if (!_crosses(market, buy, tick)) return (0, false);
        emit Liquidating(
            market, AccountId.unwrap(distress.account), _markets[market].state.nextOrder
        );
        filled = _closeForced(market, distress.account, tick, Lots.wrap(uint64(lots)));
        if (filled == 0) return (0, _crosses(market, buy, tick));
        _countSlice(distress, filled);
        _charge(distress, filled);
    }

    /// The worst tick that is within the distance from the mark and at which the account's margin
    /// ratio does not fall, taker fee included.
    function _limitOf(Distress memory distress, bool buy, uint256 openedTime)
        private
        view
        returns (Tick)
    {
        uint256 mark = distress.quote.markPerLot;
        uint256 fee = uint256(int256(_limits[distress.market].takerFee));
        uint256 room = uint256(distress.health.equity) * distress.margin
            / distress.health.maintenanceMargin / Positions.abs(distress.lots);
        room = room > ROUNDING ? room - ROUNDING : 0;
        uint256 slippage = _slippageOf(mark, block.timestamp - openedTime);
        if (buy) {
            uint256 highest = (mark + room) * Positions.FEE_UNIT / (Positions.FEE_UNIT + fee);
            uint256 within = mark + slippage;
            return _tickWithin(distress.market, true, highest < within ? highest : within);
        }
        uint256 lowest = Positions.divUp(
            (mark > room ? mark - room : 0) * Positions.FEE_UNIT, Positions.FEE_UNIT - fee
        );
        uint256 nearest = mark - slippage;
        return _tickWithin(distress.market, false, lowest > nearest ? lowest : nearest);
    }

    /// Reverts unless a forced order has left the account its maintenance margin, or raised its
    /// ratio of equity to that.
    function _requireRatio(Health memory health, Health memory before) private pure {
        require(
            health.equity >= int256(health.maintenanceMargin)
                || health.equity * int256(before.maintenanceMargin)
                    > before.equity * int256(health.maintenanceMargin),
            MarginTooLow(health.equity, health.maintenanceMargin)
        );
    }

    function _slippageOf(uint256 mark, uint256 elapsed) private pure returns (uint256) {
        if (elapsed > OPENING_SECONDS) elapsed = OPENING_SECONDS;
        uint256 rate =
            SLIPPAGE_FIRST + (SLIPPAGE_LAST - SLIPPAGE_FIRST) * elapsed / OPENING_SECONDS;
        return mark * rate / Positions.FEE_UNIT;
    }

    /// Charges the liquidation fee: 1% of the notional, but no more than preserves the margin ratio
    /// from before.
    function _charge(Distress memory distress, uint256 filled) private {
        Health memory health = _distressHealth(distress.account);
        _requireRatio(health, distress.health);
        int256 room = health.equity - _equityKept(distress.health, health.maintenanceMargin);
        int256 fee = int256(filled * distress.quote.markPerLot / FEE_DIVISOR);
        if (fee > room) fee = room < 0 ? int256(0) : room;
        AccountId keeper = AccountId.wrap(accounts.traderAccount(msg.sender));
        int256 reward = keeper == NO_ACCOUNT ? int256(0) : fee / 2;
        _pay(distress.account, -fee);
        _pay(keeper, reward);
        _pay(INSURANCE_ACCOUNT, fee - reward);
        emit Liquidated(
            distress.market,
            AccountId.unwrap(distress.account),
            uint64(filled),
            uint256(fee),
            AccountId.unwrap(keeper)
        );
    }

    /* OFF THE BOOK */

    /// Insurance takes over `count` lots at the mark, or as many as it may, with the equity that
    /// backs them. Its other positions are valued at an index of any age: otherwise one dead index
    /// would stop liquidations in every market.
    function _absorb(Distress memory distress, uint256 count) private {
        (uint256 room, int256 insured) = _roomOf(distress);
        if (count > room) count = room;
        require(count != 0, InsuranceExhausted(insured));
        int256 unit = int256(distress.quote.markPerLot);
        int256 share = _shareOf(distress, count);
        int64 lots = _signed(distress, count);
        int256 held = _insuranceHeld();
        _tradeOffBook(distress.market, [distress.account, INSURANCE_ACCOUNT], lots, unit);
        _pay(distress.account, -share);
        _pay(INSURANCE_ACCOUNT, share);
        _count(distress.market, held);
        insured += share; // its lots are valued at their takeover price
        require(insured >= 0, InsuranceExhausted(insured));
        _countSlice(distress, count);
        emit Absorbed(
            distress.market, AccountId.unwrap(distress.account), lots, uint256(unit), share
        );
        uint256 reward = _rewardOf(distress, count, share);
        _reward(INSURANCE_ACCOUNT, reward < uint256(insured) ? reward : uint256(insured));
    }

    /// The caller's reward: half of the equity that insurance takes over, within bounds.
    function _rewardOf(Distress memory distress, uint256 count, int256 share)
        private
        view
        returns (uint256)
    {
        uint256 least = _tradeReward(distress.market, count * distress.quote.markPerLot);
        uint256 reward = share > 0 ? uint256(share) / 2 : 0;
        if (reward < least) return least;
        return reward < REWARD_MAX ? reward : REWARD_MAX;
    }

    /* ORDERS THAT CAN NO LONGER TRADE */

    /// @inheritdoc Distressed
    function _excessOf(uint32 market, Book.Order memory order)
        internal
        view
        override(Distressed, Trimming)
        returns (Lots)
    {
        return Distressed._excessOf(market, order);
    }

    /// Paid from collateral that the account's positions do not need at fresh prices, so that
    /// insurance never pays a bounty.
    function _payBounty(uint32, Book.Order memory order, Lots, uint256 bounty) internal override {
        Health memory health = _storedHealth(order.account);
        if (health.staleAsset != 0) return;
        int256 spare = health.equity - int256(health.maintenanceMargin);
        int256 held = _holdings[order.account].collateral;
        if (held < spare) spare = held;
        if (spare > 0) _reward(order.account, uint256(spare) < bounty ? uint256(spare) : bounty);
    }
}
