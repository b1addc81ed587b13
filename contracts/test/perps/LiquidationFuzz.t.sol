// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Funding} from "../../src/Funding.sol";
import {PerpsState} from "../../src/PerpsState.sol";
import {Positions} from "../../src/Positions.sol";
import {Tick} from "../../src/ValueTypes.sol";
import {OrderRequest, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IPerpsEvents} from "../../src/interfaces/IPerps.sol";
import {PerpsSetup} from "./PerpsSetup.sol";

/// Checks every forced close against the rules in random venues: traders with high leverage in two
/// markets, books, funding, and prices that jump.
contract LiquidationFuzzTest is PerpsSetup {
    using Positions for Positions.Position;

    uint40 private constant INSURANCE = 1;
    uint40 private constant FIRST = 3;
    uint256 private constant ACTORS = 7;
    uint40 private constant LAST = FIRST + 2 + uint40(ACTORS);

    uint256 private random;
    mapping(string how => uint256) private seen; // forced closes

    struct Snapshot {
        PerpsState.Health health;
        PerpsState.Health favoured; // that decides whether it may be closed
        int256 equity; // of all accounts
        int64[2] lots; // of the account
    }

    function setUp() public override {
        super.setUp();
        _deposit(BOB, 2_000_000e6);
        _deposit(CAROL, 2_000_000e6);
        vm.startPrank(OWNER);
        perps.setIndexAgeMax(market, 1_000); // deleveraging takes its time
        perps.setIndexAgeMax(btcMarket, 1_000);
        vm.stopPrank();
    }

    /// forge-config: default.fuzz.runs = 32
    /// Closes every unhealthy account and no other, and every rule holds after each close.
    function testFuzz_whatever_closes_by_force_keeps_the_rules(uint256 seed) public {
        random = seed;
        _live();
        for (uint256 round = 0; round < 4; round++) {
            _move();
            for (uint40 account = FIRST; account <= LAST; account++) {
                _tryAll(account);
            }
            _insuranceDeleverages();
        }
    }

    /// The rules are not kept by doing nothing.
    function test_random_venues_close_in_every_way() public {
        for (uint256 seed = 0; seed < 10; seed++) {
            testFuzz_whatever_closes_by_force_keeps_the_rules(uint256(keccak256(abi.encode(seed))));
        }
        vm.assertGt(seen["on the book"], 3, "on the book");
        vm.assertGt(seen["absorbed"], 5, "absorbed");
        vm.assertGt(seen["deleveraged"], 5, "deleveraged");
        vm.assertGt(seen["insurance deleveraged"], 0, "insurance deleveraged");
    }

    /* A VENUE */

    function _live() private {
        for (uint256 i = 0; i < ACTORS; i++) {
            _deposit(_actor(i), 300e6 + _next(5_000e6));
        }
        if (_next(3) != 0) _deposit(address(0x1), _next(5_000e6) + 1);
        for (uint256 i = 0; i < 16; i++) {
            _gear();
            _order();
        }
        if (_next(2) == 0) {
            _pass(1);
            perps.poke(market);
            perps.poke(btcMarket);
            _pass(3_600 + _next(3_600));
        }
    }

    function _actor(uint256 seed) private pure returns (address) {
        return address(uint160(0xAC7000 + seed % ACTORS));
    }

    function _order() private {
        address wallet = _actor(_next(ACTORS));
        OrderRequest memory request = _gtc(_next(2) == 0, 0, _lotsFor(wallet));
        uint24 middle = uint24(perps.quoteOf(market).index / 1e16);
        if (_next(3) == 0) {
            (request.market, middle) = (btcMarket, uint24(perps.quoteOf(btcMarket).index / 1e17));
        }
        request.tick = Tick.wrap(uint24(middle - middle / 50 + _next(middle / 25)));
        request.reduceOnly = _next(6) == 0;
        if (_next(8) == 0) request.goodTil = uint40(block.timestamp + 5 + _next(60));
        vm.prank(wallet);
        try perps.place(request) {} catch {}
    }

    /// Up to the lots that equity allows: these traders use high leverage.
    function _lotsFor(address wallet) private returns (uint64) {
        PerpsState.Health memory health = perps.healthOf(accounts.accountOf(wallet));
        int256 spare = health.equity - int256(health.initialMargin);
        uint256 most = spare <= 0 ? 100 : uint256(spare) * 19 / perps.quoteOf(market).markPerLot;
        return uint64(1 + most * (50 + _next(50)) / 100);
    }

    /// An actor buys the largest position it can from a funded account, at the index.
    function _gear() private {
        address wallet = _actor(_next(ACTORS));
        uint24 middle = uint24(perps.quoteOf(market).index / 1e16);
        (bool buy, uint64 lots) = (_next(2) == 0, _lotsFor(wallet));
        try this.quoteAs(_next(2) == 0 ? BOB : CAROL, middle, lots, !buy) {} catch {}
        try this.quoteAs(wallet, middle, lots, buy) {} catch {}
    }

    /// A funded account may quote near the mark, in small size, so that the book runs dry.
    function _quote() private {
        if (_next(4) == 0) return;
        uint24 middle = uint24(perps.quoteOf(market).index / 1e16);
        uint24 half = uint24(1 + _next(middle / 100));
        try this.quoteAs(BOB, middle - half, uint64(10 + _next(5_000)), true) {} catch {}
        try this.quoteAs(CAROL, middle + half, uint64(10 + _next(5_000)), false) {} catch {}
    }

    function quoteAs(address wallet, uint24 tick, uint64 lots, bool buy) external {
        _place(wallet, _gtc(buy, tick, lots));
    }

    /// Up to 30% either way, or a little, or to where the margin of one account is just gone.
    function _move() private {
        uint256 kind = _next(8);
        uint256 price = perps.quoteOf(market).index;
        if (kind < 5) price = _priceThatHurts(FIRST + 3 + uint40(_next(ACTORS)), price);
        else if (kind < 7) price = price * (9_800 + _next(400)) / 10_000;
        else price = price * (7_000 + _next(6_000)) / 10_000;
        _index(price);
        for (uint256 i = 0; i < 5; i++) {
            _order();
        }
        _quote();
        _pass(_next(40));
        _index(perps.quoteOf(market).index);
    }

    /// Where the account's equity is 50% to 100% of its maintenance margin; no farther than 30%.
    function _priceThatHurts(uint40 account, uint256 price) private returns (uint256) {
        PerpsState.Health memory health = perps.healthOf(account);
        int256 lots = perps.positionOf(market, account).lots;
        if (lots == 0) return price;
        int256 aim = int256(health.maintenanceMargin * (50 + _next(51)) / 100);
        // 1,000 lots are one ETH.
        int256 target = int256(price) - (health.equity - aim) * 1e3 / lots;
        int256 least = int256(price) * 7 / 10;
        int256 most = int256(price) * 13 / 10;
        return uint256(target < least ? least : target > most ? most : target);
    }

    function _next(uint256 count) private returns (uint256) {
        random = uint256(keccak256(abi.encode(random)));
        return random % count;
    }

    /* FORCED CLOSES */

    function _tryAll(uint40 account) private {
        for (uint256 tries = 0; tries < 4; tries++) {
            if (!_tryOne(account, tries % 2 == 0 ? market : btcMarket)) return;
        }
    }

    /// Returns false when the account is healthy.
    function _tryOne(uint40 account, uint32 where) private returns (bool) {
        perps.settleHours(market);
        perps.settleHours(btcMarket);
        Snapshot memory before = _snapshot(account);
        bool healthy = before.favoured.equity >= int256(before.favoured.maintenanceMargin);
        bool flat = before.lots[where - 1] == 0;
        uint40[] memory orders = new uint40[](_next(2) * 10);
        for (uint256 i = 0; i < orders.length; i++) {
            orders[i] = uint40(1 + _next(70));
        }
        int64 insured = perps.positionOf(where, INSURANCE).lots;
        vm.prank(_actor(_next(ACTORS + 2)));
        try perps.liquidate(account, where, orders) {
            vm.assertFalse(healthy || flat, "nobody healthy is liquidated");
            _expectSound(account, before);
            seen[
                    perps.positionOf(where, INSURANCE).lots == insured ? "on the book" : "absorbed"
                ] += 1;
        } catch (bytes memory reason) {
            bytes4 why = bytes4(reason);
            if (healthy || flat) {
                vm.assertEq(bytes32(why), bytes32(IPerpsEvents.NotLiquidatable.selector));
            } else if (why == IPerpsEvents.InsuranceExhausted.selector) {
                _tryDeleverage(account, where, before);
            } else {
                bool waits = why == IPerpsEvents.LiquidationTooSoon.selector
                    || why == IPerpsEvents.LimitOpening.selector;
                vm.assertTrue(waits, "nothing else hinders");
            }
        }
        return !healthy;
    }

    /// An account rejected for lack of insurance can be deleveraged, if far below its margin.
    function _tryDeleverage(uint40 loser, uint32 where, Snapshot memory before) private {
        bool far = loser == INSURANCE
            || before.favoured.equity * 3 < int256(before.favoured.maintenanceMargin) * 2;
        for (uint40 winner = FIRST; winner <= LAST; winner++) {
            Positions.Position memory position = perps.positionOf(where, winner);
            if (position.lots == 0 || (position.lots > 0) == (before.lots[where - 1] > 0)) {
                continue;
            }
            try this.deleverageNow(loser, winner, where) {
                vm.assertTrue(far, "only far below the margin");
                seen[loser == INSURANCE ? "insurance deleveraged" : "deleveraged"] += 1;
                before = _snapshot(loser);
                if (before.lots[where - 1] == 0) return;
            } catch (bytes memory reason) {
                bytes4 why = bytes4(reason);
                if (far && why == IPerpsEvents.InsuranceSuffices.selector) {
                    if (loser == INSURANCE) return;
                    _expectInsuranceTakes(loser, where); // the part left by the winners
                    return;
                }
                bytes4 rule =
                    far ? IPerpsEvents.NotWinner.selector : IPerpsEvents.NotLiquidatable.selector;
                vm.assertEq(bytes32(why), bytes32(rule), "nothing but the winner hinders");
            }
        }
    }

    /// Nominates the winner, waits and deleverages, or does nothing. Funding that accrues meanwhile
    /// is settled first.
    function deleverageNow(uint40 loser, uint40 winner, uint32 where) external {
        perps.nominate(loser, winner, where);
        vm.warp(block.timestamp + 10);
        perps.settleHours(market);
        perps.settleHours(btcMarket);
        Positions.Position memory position = perps.positionOf(where, winner);
        PerpsState.Quote memory quote = perps.quoteOf(where);
        PerpsState.Health memory before = perps.healthOf(winner);
        perps.deleverage(loser, where, new uint40[](0));
        int256 profit = position.equity(quote.markPerLot, quote.fundingIndex);
        uint256 held = Positions.abs(position.lots);
        uint256 closed = held - Positions.abs(perps.positionOf(where, winner).lots);
        _expectWinnerSound(before, perps.healthOf(winner), profit * int256(closed) / int256(held));
    }

    /// Either absorbing or deleveraging is possible, never both or none.
    function _expectInsuranceTakes(uint40 loser, uint32 where) private {
        vm.assertTrue(loser != INSURANCE);
        Snapshot memory before = _snapshot(loser);
        perps.liquidate(loser, where, new uint40[](0));
        _expectSound(loser, before);
        vm.assertEq(perps.positionOf(where, loser).lots, 0);
        vm.assertGe(perps.healthOf(INSURANCE).equity, 0, "insurance");
    }

    /// Insurance itself is deleveraged when its positions fall further and exceed its allowed loss.
    function _insuranceDeleverages() private {
        Snapshot memory before = _snapshot(INSURANCE);
        for (uint32 where = 1; where <= 2; where++) {
            if (before.lots[where - 1] != 0) _tryDeleverage(INSURANCE, where, before);
            before = _snapshot(INSURANCE);
        }
    }

    /* RULES */

    function _snapshot(uint40 account) private view returns (Snapshot memory snapshot) {
        snapshot.health = perps.healthOf(account);
        snapshot.favoured = perps.liquidationHealthOf(account);
        for (uint40 any = 1; any <= LAST; any++) {
            snapshot.equity += perps.healthOf(any).equity;
        }
        for (uint32 where = 1; where <= 2; where++) {
            snapshot.lots[where - 1] = perps.positionOf(where, account).lots;
        }
    }

    function _expectSound(uint40 account, Snapshot memory before) private view {
        Snapshot memory later = _snapshot(account);
        vm.assertEq(later.equity, before.equity, "equity of all");
        vm.assertGe(
            later.health.equity * int256(before.health.maintenanceMargin),
            before.health.equity * int256(later.health.maintenanceMargin),
            "equity over maintenance margin"
        );
        vm.assertEq(_collateralOfAll(), int256(usdc.balanceOf(address(perps)) * 1e12), "the token");
        for (uint32 where = 1; where <= 2; where++) {
            int64 lots = later.lots[where - 1];
            int64 had = before.lots[where - 1];
            vm.assertTrue(
                had >= 0 ? lots >= 0 && lots <= had : lots <= 0 && lots >= had, "a position grew"
            );
            _expectBalanced(where);
        }
        if (later.health.maintenanceMargin == 0 && before.health.equity < 0) {
            vm.assertGe(later.health.equity, 0, "no debt without a position");
        }
    }

    /// A winner keeps its maintenance margin, or a better ratio than it had.
    function _expectWinnerSound(
        PerpsState.Health memory before,
        PerpsState.Health memory later,
        int256 won
    ) private pure {
        vm.assertGe(
            later.equity, int256(later.maintenanceMargin), "the winner's maintenance margin"
        );
        vm.assertLe(before.equity - later.equity, won + 1, "no more than what was won");
    }

    /// Collateral and the positions' quotes together are the token: cash only moves between them.
    function _collateralOfAll() private view returns (int256 sum) {
        for (uint40 account = 1; account <= LAST; account++) {
            sum += perps.holdingOf(account).collateral;
            for (uint32 where = 1; where <= 2; where++) {
                Positions.Position memory position = perps.positionOf(where, account);
                sum += position.quote
                - Positions.fundingDue(position, perps.quoteOf(where).fundingIndex);
            }
        }
    }

    function _expectBalanced(uint32 where) private view {
        (int256 sum, int256 long) = (0, 0);
        for (uint40 account = 1; account <= LAST; account++) {
            Positions.Position memory position = perps.positionOf(where, account);
            sum += position.lots;
            long += Positions.long(position);
            bool isMarked = (perps.holdingOf(account).markets >> (where - 1)) & 1 == 1;
            vm.assertEq(isMarked, !Positions.isEmpty(position), "market bit");
        }
        vm.assertEq(sum, int256(0), "lots");
        (, Funding.Activity memory activity) = perps.fundingOf(where);
        vm.assertEq(int256(uint256(activity.openInterest)), long, "open interest");
    }
}
