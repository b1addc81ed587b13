// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PerpsState} from "../../../src/PerpsState.sol";
import {AccountId} from "../../../src/ValueTypes.sol";
import {IPerpsEvents} from "../../../src/interfaces/IPerps.sol";
import {PerpsChecks} from "./PerpsChecks.sol";

/// Liquidates and deleverages at random, rightly or wrongly.
abstract contract Distress is PerpsChecks {
    struct Case {
        uint40 account;
        uint32 market;
        uint40[] orders;
        bool complete; // orders are all that it has there
        Health health;
        Health favoured;
        int256[3] lots; // by market
    }

    /// When an account was shown to be below its margin.
    struct Seen {
        uint256 first;
        uint256 last;
    }

    mapping(uint40 account => Seen) private _seen;

    /* CASES */

    /// Settles every hour that has ended, so that equities before and after a call can be compared.
    function _settleAll() internal {
        for (uint32 market = 1; market <= MARKETS; market++) {
            while (_hourHasEnded(market)) {
                perps.settleHours(market);
                _replay();
            }
        }
    }

    /// Mostly an account below its maintenance margin, if there is one, and a market where it has
    /// lots.
    function _anyCase() private returns (Case memory found) {
        if (!_oneIn(8)) _push();
        _settleAll();
        uint40 count = accountCount();
        found.account = uint40(1 + _roll(count));
        for (uint256 i = 0; i < count && !_oneIn(30); i++) {
            found.account = found.account % count + 1;
            if (_isUnder(_favouredOf(found.account))) break;
        }
        found.market = _anyMarket();
        if (_positions[found.market][found.account].lots == 0 && !_oneIn(8)) {
            found.market = 3 - found.market;
        }
        found.complete = !_oneIn(8);
        found.orders =
            found.complete ? _liveOf(found.market, found.account) : _anyOrders(found.market, 3);
        _note(found);
    }

    function _note(Case memory found) private view {
        found.health = _distressOf(found.account);
        found.favoured = _favouredOf(found.account);
        for (uint32 market = 1; market <= MARKETS; market++) {
            found.lots[market] = _positions[market][found.account].lots;
        }
    }

    /// A liquidation never lowers the margin ratio nor raises |lots|, and closes one market only.
    function _expectNoWorse(Case memory before) private view {
        Health memory health = _distressOf(before.account);
        vm.assertTrue(
            _isNoWorse(health, before.health), "a liquidation never lowers the margin ratio"
        );
        _expectOneCloses(before);
    }

    function _expectOneCloses(Case memory before) private view {
        for (uint32 market = 1; market <= MARKETS; market++) {
            int256 lots = _positions[market][before.account].lots;
            bool closes = _abs(lots) <= _abs(before.lots[market])
                && (lots == 0 || (lots < 0) == (before.lots[market] < 0));
            vm.assertTrue(closes, "a liquidation never raises the lots");
            if (market != before.market) {
                vm.assertEq(lots, before.lots[market], "a liquidation is of one market");
            }
        }
    }

    /* LIQUIDATION */

    function liquidate(uint256 seed) external seeded(seed) {
        _liquidateTwice(_anyCase());
    }

    /// Moves the price against an account, just until it falls below its margin, and liquidates it.
    function squeeze(uint256 seed) external seeded(seed) {
        Case memory found = _anyCase();
        uint40 count = accountCount();
        found.account = uint40(1 + _roll(count));
        for (uint256 i = 0; i < count && _positions[found.market][found.account].lots == 0; i++) {
            found.account = found.account % count + 1;
        }
        _squeeze(found);
    }

    /// Two traders trade so much with each other that one of them is closed in steps.
    function topple(uint256 seed) external seeded(seed) {
        Case memory found = _anyCase();
        found.account = _healthOf(3).equity < _healthOf(4).equity ? 3 : 4;
        // An account that loses when the price returns to its origin, so that the price has room to
        // move.
        _enlarge(
            found.market, (found.account == 3) == (_index(found.market) > _home(found.market))
        );
        _squeeze(found);
    }

    function _squeeze(Case memory found) private {
        int256 lots = _positions[found.market][found.account].lots;
        for (uint256 i = 0; i < 80 && lots != 0 && !_isUnder(_favouredOf(found.account)); i++) {
            _nudge(found.market, lots < 0);
            vm.warp(block.timestamp + 1); // the price of one second closes no account
        }
        if (lots != 0 && !_oneIn(4)) {
            _offer(found.market, lots > 0, uint64(uint256(_abs(lots)) / _between(1, 5) + 1));
        }
        _settleAll();
        (found.orders, found.complete) = (_liveOf(found.market, found.account), true);
        _note(found);
        _liquidateTwice(found);
    }

    function _liquidateTwice(Case memory found) private {
        if (!_liquidate(found) || _oneIn(4)) return;
        // Repeated immediately: the rest of the position, perhaps within the pause.
        (found.orders, found.complete) = (_liveOf(found.market, found.account), true);
        _note(found);
        _liquidate(found);
    }

    function _liquidate(Case memory found) private returns (bool) {
        int256 insured = _healthOf(1).equity;
        vm.prank(_oneIn(4) ? address(0x57A6E) : _anyWallet().wallet);
        try perps.liquidate(found.account, found.market, found.orders) {
            _sight(found);
            uint256 steps = _replay();
            // No healthy account is liquidatable.
            vm.assertTrue(_isUnder(found.favoured), "nobody healthy is liquidated");
            vm.assertFalse(_isStale(found.market), "no liquidation on a stale index");
            vm.assertTrue(found.account != 1, "the insurance account is never liquidated");
            _expectNoWorse(found);
            int256 lots = _positions[found.market][found.account].lots;
            bool closed = _abs(lots) < _abs(found.lots[found.market]);
            // The first call may only record that the account is below.
            if (!closed && steps == 0) {
                vm.assertTrue(_firstSeen(found.account), "only the first call does nothing");
            }
            vm.assertGe(_healthOf(1).equity, _min(insured, 0), "insurance does not go below zero");
            if (lots != 0) seen["liquidated in part"] += 1;
            if (found.health.equity < 0) seen["under water"] += 1;
            return true;
        } catch (bytes memory reason) {
            _forget();
            _expectSpared(found, bytes4(reason));
            return false;
        }
    }

    /// A call to liquidate has gone well: unless the account is far below, that shows it to be
    /// below its margin from now on, or still.
    function _sight(Case memory found) private {
        if (found.favoured.equity * 3 < found.favoured.maintenanceMargin * 2) return;
        Seen storage known = _seen[found.account];
        if (block.timestamp > known.last + 60) known.first = block.timestamp;
        known.last = block.timestamp;
    }

    function _firstSeen(uint40 account) private view returns (bool) {
        return _seen[account].first == block.timestamp;
    }

    /// An account below its margin is liquidated, except for these reasons.
    function _expectSpared(Case memory found, bytes4 rule) private {
        bool under = _isUnder(found.favoured) && found.account != 1;
        if (rule == IPerpsEvents.NotLiquidatable.selector) {
            vm.assertFalse(
                under && found.lots[found.market] != 0,
                "whoever is below its margin is liquidatable"
            );
            seen["healthy spared"] += 1;
        } else if (rule == IPerpsEvents.IndexStale.selector) {
            vm.assertTrue(_isStale(found.market), "the index is stale");
        } else if (rule == IPerpsEvents.LiquidationTooSoon.selector) {
            int256 notional = _abs(found.lots[found.market]) * _markPerLot(found.market);
            vm.assertTrue(
                under && notional > 100_000e18, "only a large position is closed in steps"
            );
            seen["too soon"] += 1;
        } else if (rule == IPerpsEvents.LimitOpening.selector) {
            vm.assertTrue(
                under
                    && (block.timestamp < _seen[found.account].first + 30
                        || found.health.equity <= 0),
                "a limit opens in 30 s from the first call on"
            );
            seen["limit opening"] += 1;
        } else {
            vm.assertEq(
                bytes32(rule),
                bytes32(IPerpsEvents.InsuranceExhausted.selector),
                "no other reason spares an account"
            );
            vm.assertTrue(under, "insurance is asked only when somebody falls");
            seen["insurance exhausted"] += 1;
        }
    }

    /// Any account may cancel the orders of an account below its margin, and of no other.
    function cancelLiquidatable(uint256 seed) external seeded(seed) {
        Case memory found = _anyCase();
        try perps.cancelLiquidatable(found.account, found.market, found.orders) {
            _replay();
            vm.assertTrue(
                _isUnbacked(found.favoured) && found.account != 1,
                "no healthy account's orders are cancelled"
            );
            _expectNoWorse(found);
            vm.assertTrue(
                !found.complete || _liveOf(found.market, found.account).length == 0,
                "and all that are named"
            );
            seen["cancelled liquidatable"] += 1;
        } catch (bytes memory reason) {
            _forget();
            bool healthy = !_isUnbacked(found.favoured) || found.account == 1;
            vm.assertTrue(
                healthy && bytes4(reason) == IPerpsEvents.NotLiquidatable.selector,
                "the orders of whoever is below its margin can be cancelled"
            );
        }
    }

    /* INSURANCE */

    /// Insurance closes its position, at the mark or better.
    function unwind(uint256 seed) external seeded(seed) {
        uint32 market = _anyMarket();
        if (_positions[market][1].lots == 0) market = 3 - market;
        if (!_oneIn(8)) _push();
        _settleAll();
        int256 had = _positions[market][1].lots;
        if (had != 0 && _oneIn(2)) {
            _offer(market, had > 0, uint64(uint256(_abs(had)) / _between(1, 3) + 1));
            had = _positions[market][1].lots; // the offer may have met an order of insurance's own
        }
        (int256 held, int256 worth) = (_collateral[1] - _rewarded, _healthOf(1).equity);
        vm.prank(_anyWallet().wallet);
        try perps.unwind(market) {
            _replay();
            int256 lots = _positions[market][1].lots;
            vm.assertTrue(
                _abs(lots) <= _abs(had) && (lots == 0 || (lots < 0) == (had < 0)),
                "unwinding only closes"
            );
            int256 fee = _abs(had - lots) * _markPerLot(market) * 11
                * int256(_parameters[market].takerFee) / 10e6;
            vm.assertGe(
                _healthOf(1).equity + fee + 1e6, worth, "unwinding costs no more than the fee"
            );
            if (lots != had) _countInsurance(market, held + _rewarded);
            seen[lots == had ? "nothing unwound" : "unwound"] += 1;
        } catch (bytes memory reason) {
            _forget();
            vm.assertTrue(
                bytes4(reason) == IPerpsEvents.NothingToUnwind.selector
                    || bytes4(reason) == IPerpsEvents.IndexStale.selector,
                "nothing else hinders unwinding"
            );
            seen["unwinding refused"] += 1;
        }
    }

    /// A market may take less or more of insurance from now on.
    function cover(uint256 seed) external seeded(seed) {
        uint32 market = _anyMarket();
        uint96 most = uint96(_oneIn(4) ? 1_000e18 : _between(1_000, 250_000) * 1e18);
        vm.prank(_owner);
        perps.setCover(market, most, uint16(_between(100, 10_000)));
        _replay();
        _markets[market].insurancePaid = 0;
        seen["cover set"] += 1;
    }

    /* DELEVERAGING */

    function deleverage(uint256 seed) external seeded(seed) {
        Case memory found = _anyCase();
        uint32 exhausted = _exhaustedMarket();
        if (exhausted != 0 && !_oneIn(4)) (found.account, found.market) = (1, exhausted);
        else if (_oneIn(_isUnder(_healthOf(1)) ? 2 : 6)) found.account = 1;
        _note(found);
        if (!_nominate(found) || _oneIn(8)) return;
        if (_oneIn(4)) _nominate(found); // another winner, who may rank higher
        if (!_oneIn(8)) vm.warp(block.timestamp + 10);
        _settleAll();
        (found.orders, found.complete) = (_liveOf(found.market, found.account), true);
        _note(found);
        Case memory winner;
        winner.account = AccountId.unwrap(perps.nominationOf(found.account, found.market).winner);
        winner.market = found.market;
        _note(winner);
        vm.prank(_anyWallet().wallet);
        try perps.deleverage(found.account, found.market, found.orders) {
            _replay();
            vm.assertTrue(
                _isUnder(found.favoured) || found.account == 1, "nobody healthy is deleveraged"
            );
            vm.assertFalse(_isStale(found.market), "nobody is deleveraged on a stale index");
            vm.assertTrue(winner.account != 1, "insurance never wins");
            _expectOneCloses(found);
            Health memory health = _distressOf(found.account);
            bool fair = _isNoWorse(health, found.health) || health.equity >= found.health.equity;
            vm.assertTrue(fair, "a loser's ratio stays, or its winner gave all that it won");
            _expectWinnerSound(winner);
        } catch {
            _forget();
            seen["deleveraging refused"] += 1;
        }
    }

    /// Returns a market that has cost insurance more than its cover at the best prices, or 0.
    function _exhaustedMarket() private view returns (uint32) {
        int256 fund = _favouredOf(1).equity;
        for (uint32 market = 1; market <= MARKETS; market++) {
            int256 lots = _positions[market][1].lots;
            if (fund < 0 || lots == 0 || _isStale(market)) continue;
            if (_leftOf(market, fund, _favouredPerLot(market, lots > 0)) < 0) return market;
        }
        return 0;
    }

    /// Collateral leaves again once the flagged loss is covered, 10 s after that was seen.
    function clear(uint256 seed) external seeded(seed) {
        if (_oneIn(2)) vm.warp(block.timestamp + 10);
        if (_oneIn(2)) _push();
        _settleAll();
        Case memory found;
        PerpsState.Loss memory loss = perps.flaggedLoss();
        vm.assertEq(
            AccountId.unwrap(loss.account), _flagged, "the flagged loss follows from the logs"
        );
        (found.account, found.market) = (AccountId.unwrap(loss.account), loss.market);
        if (found.account != 0) _note(found);
        // Insurance is funded sooner or later: nothing else releases collateral.
        int256 missing = -_collateral[found.account] - _healthOf(1).equity;
        if (found.account != 0 && missing > 0 && _oneIn(2)) _insure(uint256(missing / SCALE) + 1);
        try perps.clearLoss() {
            _replay();
            vm.assertTrue(AccountId.unwrap(loss.account) != 0, "only what is flagged is cleared");
            vm.assertFalse(_isCertainlyLost(found), "no uncovered loss is cleared");
            seen[_flagged == 0 ? "loss cleared" : "loss covered"] += 1;
        } catch {
            _forget();
            seen["loss kept"] += 1;
        }
    }

    /// An account with one position or none owes more than insurance has.
    function _isCertainlyLost(Case memory found) private view returns (bool) {
        int256 insured = _healthOf(1).equity;
        if (found.account == 0 || found.lots[3 - found.market] != 0) return false;
        int256 debt = -_collateral[found.account];
        if (found.lots[found.market] == 0) return debt > 0 && debt > insured;
        Health memory health = found.favoured;
        if (health.equity >= 0) return false;
        return found.account == 1 ? insured < 0 : insured + found.health.equity < 0;
    }

    function _nominate(Case memory found) private returns (bool) {
        try perps.nominate(found.account, _winnerOf(found), found.market) {
            _replay();
            vm.assertTrue(
                _isUnder(found.favoured) || found.account == 1, "nobody healthy is nominated for"
            );
            return true;
        } catch {
            _forget();
            seen["nomination refused"] += 1;
            return false;
        }
    }

    /// An account on the other side, if any, from a random one on.
    function _winnerOf(Case memory found) private returns (uint40 account) {
        uint40 count = accountCount();
        account = uint40(1 + _roll(count));
        int256 lots = found.lots[found.market];
        for (uint256 i = 0; i < count && !_oneIn(30); i++) {
            account = account % count + 1;
            int256 other = _positions[found.market][account].lots;
            if (other != 0 && (other < 0) != (lots < 0)) break;
        }
    }

    function _expectWinnerSound(Case memory before) private view {
        vm.assertFalse(
            _isUnder(_distressOf(before.account)), "a winner keeps its maintenance margin"
        );
        int256 lots = _positions[before.market][before.account].lots;
        int256 had = before.lots[before.market];
        vm.assertTrue(
            _abs(lots) < _abs(had) && (lots == 0 || (lots < 0) == (had < 0)),
            "a winner only closes"
        );
    }

    function _push() internal virtual;

    /// Deposits for insurance.
    function _insure(uint256 amount) internal virtual;

    /// The price around which a market's index moves.
    function _home(uint32 market) internal pure returns (int256) {
        return market == 1 ? int256(2_000e18) : int256(60_000e18);
    }

    /// Two traders get large positions, if they may.
    function _enlarge(uint32 market, bool buy) internal virtual;

    /// Places `lots` near the mark, so that a forced order finds a book.
    function _offer(uint32 market, bool buy, uint64 lots) internal virtual;

    /// Moves a price a little.
    function _nudge(uint32 market, bool up) internal virtual;
}
